import type { Finding } from '../../../../shared/entities/finding.ts';

/** What is wrong with a field of the form, by the pointer of the field: found here, or told by the service. */
export type Problem = Pick<Finding, 'code' | 'pointer' | 'params' | 'message'>;

/** True when `problem` is about the field at `pointer`, or about something inside of it. */
export function isAt(problem: Problem, pointer: string): boolean {
  return problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`);
}
