/** All failures of this package, by their stable code. Messages are for logs: a tool shows its own text by code. */
const MESSAGES = {
  OFFLINE: 'The site could not be reached.',
  SITE_FAILED: 'The site answered with an error.',
  SITE_INVALID: 'The site answered with something else than what its contract says.',
  SIGNED_OUT: 'Nobody is signed in.',
  SIGN_IN_REFUSED: 'The user or the site refused the sign-in.',
  SIGN_IN_INVALID: 'This answer belongs to no sign-in that was begun here.',
  SIGN_IN_EXPIRED: 'Nobody completed the sign-in in time.',
  NOT_INSTALLED: 'This plugin is not installed, or its package has not been loaded.',
  NOT_SIGNED: 'The version has no signature of an approval.',
  SIGNATURE_INVALID: 'The signature does not belong to this package.',
  KEY_UNKNOWN: 'The signature was made with a key that is not trusted.',
  DIGEST_WRONG: 'The package is not the one that was approved.',
  WITHDRAWN: 'An administrator of the site has withdrawn the package.',
} as const;

export type ClientErrorCode = keyof typeof MESSAGES;

/** A failure; `isClientError` tells it from others. */
export type ClientError = Error & {
  code: ClientErrorCode;
  /** HTTP status, if the site answered. */
  status?: number;
  /** The site's own code (`BAD_CURSOR`), or that of OAuth (`access_denied`). */
  reason?: string;
  /** Seconds to wait before the next call. */
  retryAfter?: number;
};

type More = Pick<ClientError, 'status' | 'reason' | 'retryAfter'> & { cause?: unknown };

export function clientError(code: ClientErrorCode, { cause, ...more }: More = {}): ClientError {
  return Object.assign(new Error(MESSAGES[code], { cause }), { name: 'ClientError', code, ...more });
}

export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === 'ClientError' && 'code' in error;
}
