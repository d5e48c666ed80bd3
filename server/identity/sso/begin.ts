import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { acceptedRedirectUri, codeChallengeOf } from '../page/redirect-uri.ts';
import { originOf } from '../third-party/document-service.ts';
import { callbackUrl } from './callback-url.ts';
import { goElsewhere } from './go-elsewhere.ts';
import { redirectMethod } from './redirect-method.ts';

/**
 * Sends a person to another sign-in page. The code that it leads to goes to the redirect_uri alone, and the gateway has
 * bound that to the browser.
 * @throws NOT_FOUND for an unknown source, REDIRECT_URI_REFUSED, VALIDATION_FAILED, LOGIN_SOURCE_UNKNOWN, SERVICE_UNAVAILABLE
 */
export function beginSso(identity: IdentityContext): Handler<typeof signInRoutes.beginSso> {
  const { publicUrl, methods } = identity;
  return async ({ body }) => {
    const { source, ...parameters } = body;
    codeChallengeOf(parameters, acceptedRedirectUri(parameters.redirect_uri, publicUrl));
    const method = redirectMethod(methods, source);
    if (!method) throw appError('NOT_FOUND');
    originOf(methods, parameters);
    const backTo = callbackUrl(publicUrl, source);
    return { go_to: await goElsewhere(identity, { method, backTo, kept: { source, parameters } }) };
  };
}
