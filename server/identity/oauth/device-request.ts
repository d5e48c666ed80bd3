import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { DeviceCode } from 'oidc-provider';
import { oauthRoutes } from '../../../shared/routes/oauth.ts';
import { toolAudience } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityDb } from '../schema.ts';
import { secretHash } from '../secret.ts';
import { callerOf } from '../sessions/caller.ts';
import { consumeAttempt, refundAttempt, type Subject } from '../sign-in/attempts/rate-limit.ts';
import { askedBy, connectTool, needsSignIn, type ToolContext } from './connect.ts';
import { claimUserCode } from './store.ts';

/**
 * What a device asks for, and the user's answer (RFC 8628). The code that the user types says which device; it is short, so
 * guesses are counted.
 */
export function serveDeviceRequests(app: FastifyInstance, current: () => Promise<Provider>): void {
  const { identity } = app;

  implement(app, oauthRoutes.readDeviceRequest, async ({ body, request }) => {
    const provider = await current();
    const code = await findDeviceCode(identity, provider, { userCode: normalized(body.user_code), request });
    const client = await provider.Client.find(code.clientId);
    if (!client) throw appError('DEVICE_CODE_INVALID');
    return askedBy(client, code, { session: callerOf(request).session, now: identity.now() });
  });

  implement(app, oauthRoutes.answerDeviceRequest, async ({ body, request }) => {
    const provider = await current();
    const userCode = normalized(body.user_code);
    const code = await findDeviceCode(identity, provider, { userCode, request });
    const claim = async (db: IdentityDb): Promise<void> => {
      if (!(await claimUserCode(db, secretHash(userCode), new Date(identity.now()))))
        throw appError('DEVICE_CODE_INVALID');
    };
    if (body.decision === 'refuse') {
      await claim(identity.db);
      Object.assign(code, { error: 'access_denied', errorDescription: 'the user refused' });
    } else {
      const caller = callerOf(request);
      if (needsSignIn(code, caller.session, identity.now())) throw appError('REAUTHENTICATION_REQUIRED');
      const { clientId } = code;
      const granted = await connectTool(identity, provider, {
        clientId,
        asked: code,
        caller,
        log: request.log,
        claim,
      });
      Object.assign(code, { ...granted, resource: toolAudience(identity.publicUrl) });
    }
    await code.save();
    return {};
  });
}

/** The code without what users change when they type it. */
function normalized(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/**
 * Finds a code that waits for its answer. Wrong ones are counted for the account and for the address.
 * @throws TOO_MANY_REQUESTS, DEVICE_CODE_INVALID
 */
async function findDeviceCode(
  identity: ToolContext,
  provider: Provider,
  { userCode, request }: { userCode: string; request: FastifyRequest },
): Promise<DeviceCode> {
  const subjects: Subject[] = [
    { limit: 'device code account', of: String(callerOf(request).user.user_id) },
    { limit: 'device code address', of: request.clientAddress },
  ];
  for (const [at, subject] of subjects.entries())
    await consumeAttempt(identity, subject).catch(async (error: unknown) => {
      // The code is not looked up, so it must not count.
      for (const earlier of subjects.slice(0, at)) await refundAttempt(identity, earlier);
      throw error;
    });
  const code = await provider.DeviceCode.findByUserCode(userCode);
  if (!code) throw appError('DEVICE_CODE_INVALID');
  for (const subject of subjects) await refundAttempt(identity, subject);
  return code;
}
