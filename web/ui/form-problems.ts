import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';

/** What is wrong with a field, or with the whole form (`root`), in words. */
export type FormProblem<V extends FieldValues> = { field: FieldPath<V> | 'root'; text: string };

/** Shows what a service refused where it belongs, and gives the focus to the first field of it. */
export function showProblems<V extends FieldValues>(
  setError: UseFormSetError<V>,
  problems: readonly FormProblem<V>[],
): void {
  const first = problems.find(({ field }) => field !== 'root');
  for (const problem of problems)
    setError(problem.field, { message: problem.text }, { shouldFocus: problem === first });
}
