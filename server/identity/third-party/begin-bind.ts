import type { Static } from 'typebox';
import { BIND_PATH, CALLBACK_PATH, SSO_ERROR_PARAMETER } from '../../../shared/constants.ts';
import type { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { acceptedRedirectUri } from '../page/redirect-uri.ts';
import type { Account } from '../schema.ts';
import { callbackUrl } from '../sso/callback-url.ts';
import { goElsewhere } from '../sso/go-elsewhere.ts';
import { documentSourceOf } from './document-service.ts';

/**
 * Sends who is signed in to a document service whose account they want to bind to their own (`bind_other=bind`). For whom
 * it was begun is kept here, so that nobody binds what another person proves, and it leads back to the callback of the
 * browser that has begun it.
 * @throws LOGIN_SOURCE_UNKNOWN, REDIRECT_URI_REFUSED, SERVICE_UNAVAILABLE
 */
export async function beginBind(
  identity: IdentityContext,
  { user_id }: Pick<Account, 'user_id'>,
  body: Static<(typeof userServiceCalls)['beginBind']['body']>,
): Promise<{ go_to: string }> {
  const { pathname } = acceptedRedirectUri(body.redirect_uri, identity.publicUrl);
  if (pathname !== CALLBACK_PATH) throw appError('REDIRECT_URI_REFUSED');
  const found = documentSourceOf(identity.methods, body);
  if (!found) throw appError('LOGIN_SOURCE_UNKNOWN');
  const { method } = found;
  const kept = { source: method.source, parameters: { ...body, bind_for: String(user_id) } };
  return {
    go_to: await goElsewhere(identity, {
      method,
      backTo: callbackUrl(identity.publicUrl, method.source),
      kept,
    }),
  };
}

/** The bind page as it was opened, with the reason why it is shown again. */
export function bindPageAgain(
  publicUrl: string,
  parameters: Readonly<Record<string, string>>,
  code: string,
): string {
  const { bind_for: _for, redirect_uri: _callback, ...asked } = parameters;
  return `${publicUrl}${BIND_PATH}?${new URLSearchParams({ ...asked, [SSO_ERROR_PARAMETER]: code })}`;
}
