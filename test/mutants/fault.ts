import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fault in the code that a test must detect. */
export type Fault = {
  /** File of the fault, relative to the root. */
  file: string;
  /** Text that occurs once in the file, and its replacement. */
  text: string;
  replacement: string;
  /** Test files and ids of conformance checks, at least one of which must fail. */
  tests?: readonly string[];
  checks?: readonly string[];
  /** Consequence of the fault. */
  why: string;
};

/** The content of a file with the fault. @throws Error if its text does not occur exactly once */
export function planted(content: string, { file, text, replacement }: Fault): string {
  const [before, after, ...more] = content.split(text);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not hold this text exactly once: ${text}`);
  return before + replacement + after;
}

/**
 * Why a fault cannot be tested: its code has changed, or its tests have moved.
 * @param checks ids of all conformance checks
 */
export function problemsOf(root: string, fault: Fault, checks: readonly string[]): string[] {
  const { file, tests = [], checks: named = [] } = fault;
  const lost = [
    ...tests.filter((test) => !existsSync(join(root, test))).map((test) => `${test} does not exist`),
    ...named.filter((id) => !checks.includes(id)).map((id) => `no conformance check is called ${id}`),
    ...(tests.length + named.length === 0 ? ['nothing is named that would detect it'] : []),
  ].map((problem) => `${file}: ${problem}`);
  try {
    planted(readFileSync(join(root, file), 'utf8'), fault);
    return lost;
  } catch (error) {
    return [String(error), ...lost];
  }
}
