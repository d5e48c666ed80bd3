import {
  AuthorizationResponseError,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  ResponseBodyError,
} from 'openid-client';
import { type AppError, isAppError } from './errors.ts';

/** HTTP Basic, which a provider that names no method takes (OpenID Connect Discovery 1.0 section 3), else the form. */
export function clientAuth(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

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
