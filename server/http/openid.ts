import {
  AuthorizationResponseError,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  ResponseBodyError,
} from 'openid-client';
import { type AppError, isAppError } from './errors.ts';

/** HTTP Basic unless the provider supports only the form (OpenID Connect Discovery 1.0 section 3). */
export function clientAuth(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** The error of our own `fetch` inside an error of the library. */
export function ownFailure(error: unknown): AppError | undefined {
  return causes(error).find(isAppError);
}

/** A failed provider call for the log: only error codes, because the library's messages may contain the response. */
export function loggedFailure(error: unknown): Error {
  return new Error(`provider: ${describe(error)}`);
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error];
}

function describe(error: unknown): string {
  if (error instanceof ResponseBodyError) return `${error.status} ${errorCode(error.error)}`;
  if (error instanceof AuthorizationResponseError) return errorCode(error.error);
  if (error instanceof ClientError) return `${error.code ?? ''} ${error.message}`.trim();
  if (!(error instanceof Error)) return 'unknown failure';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}

const errorCode = (text: string): string => /^[a-z_]{1,64}$/.exec(text)?.[0] ?? 'invalid error code';
