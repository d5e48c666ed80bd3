import { BASE_PATH, LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';

/**
 * What a browser gets when a sign-in fails: the true status, and at once the way to a page that can tell a person what
 * happened in his language. Nothing of the request is in it.
 */
export function signInFailedPage(code: ErrorCode): { headers: Record<string, string>; html: string } {
  const next = `${BASE_PATH}?${LOGIN_ERROR_PARAMETER}=${code}`;
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // As everywhere but for `sandbox`, under which browsers follow no refresh.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
    html: `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${next}"><title>${code}</title>`,
  };
}
