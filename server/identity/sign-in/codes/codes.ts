import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { CALLBACK_PATH } from '../../../../shared/constants.ts';
import type { ToolScope } from '../../../../shared/entities/tool.ts';
import type { SignedInUser } from '../../../../shared/user-service.ts';
import { appError } from '../../../http/errors.ts';
import { validationFailed } from '../../accounts/account.ts';
import { cancelDeletion } from '../../accounts/change-store.ts';
import { findUser, recordSignIn } from '../../accounts/store.ts';
import { CODE_LIFETIME } from '../../lifetimes.ts';
import { notifyOwner } from '../../mail/account-mails.ts';
import type { IdentityDb } from '../../schema.ts';
import { isVerifierOf, newSecret, type Random, secretHash } from '../../secret.ts';
import {
  type ClientLabel,
  clientLabel,
  issueRefreshToken,
  signedInUser,
  startSession,
} from '../../sessions/sessions.ts';
import { type By, revokeSession } from '../../sessions/store.ts';
import { sendBackchannelLogout } from '../../sessions/tokens.ts';
import { insertRow } from '../../store.ts';
import { deviceToken } from '../attempts/guesses.ts';
import type { SignInContext } from '../context.ts';
import { type AuthorizationCode, consumeCode, sessionOfUsedCode, setCodeSession } from './store.ts';

/** Values that the exchange of a code must repeat; null for no requirement. */
type Binding = { redirectUri: string | null; codeChallenge: string | null };

/**
 * Issues a one-time code, valid for 60 seconds, that can be exchanged for a session of this account. `authenticatedAt`: when
 * the user authenticated, if not now.
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
  }: By & Binding & { userId: number; authenticatedAt?: Date | null },
): Promise<string> {
  const code = newSecret(random);
  const at = new Date(now());
  await insertRow(db, 'authorization_code', {
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

/** A code, with the proof that it belongs to the client's own sign-in. */
type PresentedCode = {
  code: string;
  codeVerifier?: string | undefined;
  redirectUri?: string | undefined;
  /** All that the session may do; undefined for no limit. */
  scopes?: ToolScope[] | undefined;
};

type RequestInfo = { client: ClientLabel; log: FastifyBaseLogger };

/**
 * Exchanges a one-time code for a session. A second use means that somebody else has seen the code, so it ends the session
 * of the first use (RFC 6749 section 4.1.2, RFC 9700 section 4.5). A code of another sign-in is consumed too. The code of a
 * sign-in, unlike that of a session, makes the device known. `request`: from the gateway, with headers of its client.
 * @throws CODE_INVALID when the code is unknown, used, expired or of another sign-in, ACCOUNT_DISABLED
 */
export async function exchangeCode(
  identity: SignInContext,
  presented: PresentedCode,
  request: FastifyRequest,
): Promise<SignedInUser> {
  const codeHash = secretHash(presented.code);
  const info = { client: clientLabel(request.headers['user-agent']), log: request.log };
  const started = await beginSession(identity, { codeHash, presented }, info);
  if (started) {
    const { restored } = started;
    if (restored) {
      request.log.info({ user_id: restored.user_id, action: 'account.delete_called_off' }, 'account changed');
      notifyOwner(identity, restored, 'deletion_off', { at: new Date(identity.now()), log: request.log });
    }
    const user = await signedInUser(identity, started, started.refreshToken);
    return started.isSignIn ? { ...user, device_token: deviceToken(identity, started.user, request) } : user;
  }
  await revokeSessionOfReusedCode(identity, codeHash, request.log);
  throw appError('CODE_INVALID');
}

/** In one transaction, so that a second use always finds the session of the first one. */
function beginSession(
  identity: SignInContext,
  { codeHash, presented }: { codeHash: Buffer; presented: PresentedCode },
  { client, log }: RequestInfo,
) {
  return identity.db.transaction().execute(async (db) => {
    const code = await consumeCode(db, codeHash, new Date(identity.now()));
    if (!code) return undefined;
    if (!matchesBinding(code, presented)) {
      log.warn({ event: 'code_injection', user_id: code.user_id }, 'security event');
      return undefined;
    }
    const isAllowed = await recordSignIn(db, code.user_id, {
      at: new Date(identity.now()),
      by: code.created_at,
    });
    const restored = isAllowed && (await cancelDeletion(db, code.user_id, new Date(identity.now())));
    const user = await findUser(db, code.user_id);
    if (!user || user.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
    if (!isAllowed) throw appError('CODE_INVALID');
    const session = await startSession(db, identity, {
      userId: code.user_id,
      method: code.login_method,
      source: code.source,
      authenticatedAt: code.authenticated_at,
      client,
      ...(presented.scopes && { limit: { client_id: null, scope_list: presented.scopes } }),
    });
    await setCodeSession(db, codeHash, session.sid);
    const refreshToken = await issueRefreshToken(db, identity, session);
    const isSignIn = code.authenticated_at?.getTime() === code.created_at.getTime();
    return { user, session, refreshToken, isSignIn, restored };
  });
}

/**
 * Whether a code returns from its own sign-in: checks its address (RFC 6749 section 4.1.3) and challenge (RFC 7636 section
 * 4.6). A client with a verifier has requested a bound code (RFC 9700 section 2.1.1).
 */
function matchesBinding(
  { redirect_uri, code_challenge }: AuthorizationCode,
  { codeVerifier, redirectUri }: PresentedCode,
): boolean {
  if (redirect_uri !== null && redirect_uri !== redirectUri) return false;
  if (code_challenge === null) return codeVerifier === undefined;
  return codeVerifier !== undefined && isVerifierOf(codeVerifier, code_challenge);
}

async function revokeSessionOfReusedCode(
  identity: SignInContext,
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

/** Parsers treat spaces, control characters, backslashes and non-ASCII characters differently. */
const AMBIGUOUS = /[^\x21-\x7e]|\\/;

/**
 * Validates the return address of the sign-in page: on the site's own origin, compared as text before parsing (RFC 9700
 * section 4.1), without a fragment.
 * @throws REDIRECT_URI_EMPTY (R 8.11), REDIRECT_URI_REFUSED
 */
export function validateRedirectUri(text: string | undefined, publicUrl: string): URL {
  if (!text) throw appError('REDIRECT_URI_EMPTY');
  const isOurs = text.startsWith(`${publicUrl}/`) && !AMBIGUOUS.test(text) && !text.includes('#');
  const url = isOurs && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== publicUrl || url.username !== '' || url.password !== '') {
    throw appError('REDIRECT_URI_REFUSED');
  }
  return url;
}

type Parameters = {
  response_type?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
};

/**
 * The challenge that binds the code (RFC 7636); null for an unbound code. Codes for the gateway's callback must be bound,
 * because the callback could not tell to which browser an unbound code belongs.
 * @throws VALIDATION_FAILED
 */
export function validateCodeChallenge(
  { response_type, code_challenge, code_challenge_method }: Parameters,
  redirectUri: URL,
): string | null {
  if ((code_challenge === undefined) !== (code_challenge_method === undefined)) {
    throw validationFailed('/code_challenge', 'must be sent together with code_challenge_method');
  }
  if (code_challenge !== undefined) return code_challenge;
  const isForGateway = redirectUri.pathname === CALLBACK_PATH && response_type !== 'none';
  if (isForGateway) throw validationFailed('/code_challenge', 'is required for a code to this redirect_uri');
  return null;
}

type SignedIn = By & {
  userId: number;
  redirectUri: URL;
  responseType: 'code' | 'none' | undefined;
  codeChallenge: string | null;
};

/**
 * The return address after a sign-in, with a one-time code unless `response_type` is none or the address does not accept
 * codes.
 */
export async function continueTo(
  identity: SignInContext,
  signedIn: SignedIn,
): Promise<{ continue_to: string }> {
  const target = new URL(signedIn.redirectUri);
  target.searchParams.delete('code');
  if (signedIn.responseType !== 'none' && acceptsCode(target)) {
    const code = await issueCode(identity, {
      userId: signedIn.userId,
      method: signedIn.method,
      source: signedIn.source,
      redirectUri: target.href,
      codeChallenge: signedIn.codeChallenge,
    });
    target.searchParams.set('code', code);
  }
  return { continue_to: target.href };
}

/**
 * The gateway's callback and pages accept a code. API calls do not. With `oauth2=1` a page leaves `code` in the address
 * (R 8.7), so it must not be one of ours.
 */
function acceptsCode({ pathname, searchParams }: URL): boolean {
  if (pathname === CALLBACK_PATH) return true;
  const isCall = pathname.includes('%') || /^\/+api(?:\/|$)/i.test(pathname);
  return !isCall && !searchParams.getAll('oauth2').includes('1');
}
