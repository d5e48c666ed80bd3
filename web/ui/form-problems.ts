import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';

/** Error text of a field, or of the whole form (`root`). */
export type FormProblem<V extends FieldValues> = { field: FieldPath<V> | 'root'; text: string };

/** Shows the service's errors at their fields and focuses the first one. */
export function showProblems<V extends FieldValues>(
  setError: UseFormSetError<V>,
  problems: readonly FormProblem<V>[],
): void {
  const first = problems.find(({ field }) => field !== 'root');
  for (const problem of problems)
    setError(problem.field, { message: problem.text }, { shouldFocus: problem === first });
}
