import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { SignedInUser } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { keepAccount, mailRestored } from '../account/deletion.ts';
import { findUser, noteSignIn } from '../accounts/store.ts';
import { deviceToken } from '../attempts/known-device.ts';
import type { IdentityContext } from '../context.ts';
import { CODE_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { isVerifierOf, newSecret, type Random, secretHash } from '../secret.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import {
  type ClientLabel,
  clientLabel,
  issueRefreshToken,
  signedInUser,
  startSession,
} from '../sessions/start-session.ts';
import { type By, revokeSession } from '../sessions/store.ts';
import { type AuthorizationCode, insertCode, noteSession, sessionOfUsedCode, takeCode } from './store.ts';

/** What a code must come back with; null asks for nothing. */
type BoundTo = { redirectUri: string | null; codeChallenge: string | null };

/**
 * Issues a one-time code, good for 60 seconds, that can be exchanged for a session of this account. `authenticatedAt`:
 * when its user proved who they are, if that was not just now.
 */
export async function issueCode(
  { db, random, now }: { db: IdentityDb; random: Random; now: () => number },
  {
    userId,
    method,
    source,
    redirectUri,
    codeChallenge,
    authenticatedAt,
  }: By & BoundTo & { userId: number; authenticatedAt?: Date | null },
): Promise<string> {
  const code = newSecret(random);
  const at = new Date(now());
  await insertCode(db, {
    code_hash: secretHash(code),
    user_id: userId,
    login_method: method,
    source,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    created_at: at,
    authenticated_at: authenticatedAt === undefined ? at : authenticatedAt,
    expires_at: new Date(at.getTime() + CODE_LIFETIME),
  });
  return code;
}

/** A code, and what shows that it is of the sign-in that its bearer has begun. */
type Shown = { code: string; codeVerifier?: string | undefined; redirectUri?: string | undefined };

type Doing = { client: ClientLabel; log: FastifyBaseLogger };

/**
 * Exchanges a one-time code for a session. A second use means that somebody else has seen the code, so it ends the
 * session that the first one began (RFC 6749 section 4.1.2, RFC 9700 section 4.5). A code of another sign-in is used up.
 * With a code of a sign-in, not of a session, the device becomes known. `request`: of the gateway, which passes on what its
 * caller says of themselves.
 * @throws CODE_INVALID when the code is unknown, used, run out or of another sign-in, ACCOUNT_DISABLED
 */
export async function exchangeCode(
  identity: IdentityContext,
  shown: Shown,
  request: FastifyRequest,
): Promise<SignedInUser> {
  const codeHash = secretHash(shown.code);
  const doing = { client: clientLabel(request.headers['user-agent']), log: request.log };
  const begun = await beginSession(identity, { codeHash, shown }, doing);
  if (begun) {
    if (begun.restored) mailRestored(identity, begun.restored, request.log);
    const user = await signedInUser(identity, begun, begun.refreshToken);
    return begun.isSignIn ? { ...user, device_token: deviceToken(identity, begun.user, request) } : user;
  }
  await punishReuse(identity, codeHash, request.log);
  throw appError('CODE_INVALID');
}

/** In one transaction, so that who comes second always finds the session that the first has begun. */
function beginSession(
  identity: IdentityContext,
  { codeHash, shown }: { codeHash: Buffer; shown: Shown },
  { client, log }: Doing,
) {
  return identity.db.transaction().execute(async (db) => {
    const taken = await takeCode(db, codeHash, new Date(identity.now()));
    if (!taken) return undefined;
    if (!isOfSignIn(taken, shown)) {
      log.warn({ event: 'code_injection', user_id: taken.user_id }, 'security event');
      return undefined;
    }
    const isLetIn = await noteSignIn(db, taken.user_id, {
      at: new Date(identity.now()),
      by: taken.created_at,
    });
    const restored = isLetIn && (await keepAccount(db, taken.user_id, new Date(identity.now())));
    const user = await findUser(db, taken.user_id);
    if (!user || user.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
    if (!isLetIn) throw appError('CODE_INVALID');
    const session = await startSession(db, identity, {
      userId: taken.user_id,
      method: taken.login_method,
      source: taken.source,
      authenticatedAt: taken.authenticated_at,
      client,
    });
    await noteSession(db, codeHash, session.sid);
    const refreshToken = await issueRefreshToken(db, identity, session);
    const isSignIn = taken.authenticated_at?.getTime() === taken.created_at.getTime();
    return { user, session, refreshToken, isSignIn, restored };
  });
}

/**
 * Whether a code comes back from the sign-in that it was issued for: by its address (RFC 6749 section 4.1.3) and its
 * challenge (RFC 7636 section 4.6). Who brings a verifier has asked for a bound code (RFC 9700 section 2.1.1).
 */
function isOfSignIn(
  { redirect_uri, code_challenge }: AuthorizationCode,
  { codeVerifier, redirectUri }: Shown,
): boolean {
  if (redirect_uri !== null && redirect_uri !== redirectUri) return false;
  if (code_challenge === null) return codeVerifier === undefined;
  return codeVerifier !== undefined && isVerifierOf(codeVerifier, code_challenge);
}

async function punishReuse(
  identity: IdentityContext,
  codeHash: Buffer,
  log: FastifyRequest['log'],
): Promise<void> {
  const session = await sessionOfUsedCode(identity.db, codeHash);
  if (!session) return;
  const { sid, user_id } = session;
  if (!(await revokeSession(identity.db, sid, new Date(identity.now())))) return;
  log.warn({ event: 'code_reuse', user_id, sid }, 'security event');
  await sendBackchannelLogout(identity, { userId: user_id, sids: [sid] }, log);
}
