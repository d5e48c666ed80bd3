import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { type AppError, isAppError } from '../errors.ts';

/** What our own `fetch` has thrown, however the library has wrapped it. */
export function ownFailure(error: unknown): AppError | undefined {
  return causes(error).find(isAppError);
}

/**
 * A failed call to a provider as the log may know it. What the library says may hold what the provider has sent, so
 * these are its codes alone.
 */
export function loggedFailure(error: unknown): Error {
  return new Error(`provider: ${wordsOf(error)}`);
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error];
}

function wordsOf(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${error.status} ${word(error.error)}`;
  if (error instanceof AuthorizationResponseError) return word(error.error);
  if (error instanceof ClientError) return `${error.code ?? ''} ${error.message}`.trim();
  if (!(error instanceof Error)) return 'unknown failure';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}

const word = (text: string): string => /^[a-z_]{1,64}$/.exec(text)?.[0] ?? 'no word';
