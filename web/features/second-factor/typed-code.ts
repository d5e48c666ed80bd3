import type { ApiError } from '../../api/api-error.ts';

/** What a field takes: six digits of the app, a recovery code, or whichever is at hand. */
export type CodeKind = 'app' | 'recovery' | 'either';

const MISSING = { app: 'app_missing', recovery: 'recovery_missing', either: 'either_missing' } as const;

/** A text of the namespace `secondFactor` about a code. */
export type CodeProblem = (typeof MISSING)[CodeKind] | 'wrong' | 'too_many';

/** What can be said to be wrong without asking the service; apps show "123 456", and that may be pasted. */
export function missing(kind: CodeKind, typed: string): CodeProblem | undefined {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '');
  const isThere = kind === 'app' ? /^\d{6}$/.test(code) : code !== '';
  return isThere ? undefined : MISSING[kind];
}

/** What a refusal says about the code; undefined when it is about something else. */
export function problemOf(error: ApiError): CodeProblem | undefined {
  if (error.reason === 'SECOND_FACTOR_WRONG') return 'wrong';
  return error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined ? 'too_many' : undefined;
}
