import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { SSO_LIFETIME } from '../lifetimes.ts';
import { acceptedRedirectUri } from '../page/redirect-uri.ts';
import { newSecret, secretHash } from '../secret.ts';
import { callbackUrl } from './callback-url.ts';
import { redirectMethod } from './redirect-method.ts';
import { insertSsoLogin } from './store.ts';

/**
 * Sends a person to another sign-in page. What belongs to it waits here for its return, in no cookie: the code that it
 * leads to goes to the redirect_uri alone, and the gateway has bound that to the browser.
 * @throws NOT_FOUND for an unknown source, REDIRECT_URI_REFUSED, SERVICE_UNAVAILABLE
 */
export function beginSso(identity: IdentityContext): Handler<typeof signInRoutes.beginSso> {
  const { db, now, random, publicUrl } = identity;
  return async ({ body }) => {
    const { source, ...parameters } = body;
    acceptedRedirectUri(parameters.redirect_uri, publicUrl);
    const method = redirectMethod(identity.methods, source);
    if (!method) throw appError('NOT_FOUND');
    const state = newSecret(random);
    const { url, secrets } = await method.begin({ state, callbackUrl: callbackUrl(publicUrl, source) });
    await insertSsoLogin(
      db,
      secretHash(state),
      { source, secrets, parameters },
      new Date(now() + SSO_LIFETIME),
    );
    return { go_to: url };
  };
}
