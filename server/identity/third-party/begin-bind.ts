import type { ownBindRoutes } from '../../../shared/routes/own-bind.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { userOf } from '../sessions/user-guard.ts';
import { callbackUrl } from '../sso/callback-url.ts';
import { goElsewhere } from '../sso/go-elsewhere.ts';
import { documentSourceOf } from './document-service.ts';

/**
 * Sends who is signed in to a document service, whose account he wants to bind to his own (`bind_other=bind`). For whom
 * it was begun is kept here, so that nobody binds what another person proves.
 * @throws LOGIN_SOURCE_UNKNOWN, SERVICE_UNAVAILABLE
 */
export function beginBind(identity: IdentityContext): Handler<typeof ownBindRoutes.beginBind> {
  return async ({ body, request }) => {
    const found = documentSourceOf(identity.methods, body);
    if (!found) throw appError('LOGIN_SOURCE_UNKNOWN');
    const { method } = found;
    const parameters = { ...body, bind_for: String(userOf(request).person.user_id) };
    const kept = { source: method.source, parameters };
    const backTo = callbackUrl(identity.publicUrl, method.source);
    return { go_to: await goElsewhere(identity, { method, backTo, kept }) };
  };
}
