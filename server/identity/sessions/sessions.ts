import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ToolScope } from '../../../shared/entities/tool.ts';
import { type EndedSession, type OwnSession, ownSessionRoutes } from '../../../shared/routes/own-session.ts';
import type { SignedInUser } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { userInfoOf } from '../accounts/account.ts';
import { SESSION_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { newSecret, type Random, secretHash } from '../secret.ts';
import { insertRow } from '../store.ts';
import { type Caller, callerOf } from './caller.ts';
import {
  type By,
  readSessionsOf,
  replaceTokens,
  revokeOtherSessions,
  revokeSession,
  type Session,
} from './store.ts';
import type { SessionContext } from './tokens.ts';
import { sendBackchannelLogout, signAccessToken } from './tokens.ts';

type Context = { random: Random; now: () => number };

type NewSession = By & {
  userId: number;
  authenticatedAt: Date | null;
  client: ClientLabel;
  /** What it may do, and the tool that gets it; null for a browser. Without it, all that its user may. */
  limit?: { client_id: string | null; scope_list: ToolScope[] };
};

export async function startSession(
  db: IdentityDb,
  { now }: Context,
  { userId, method, source, authenticatedAt, client, limit }: NewSession,
): Promise<Session> {
  const session = {
    sid: randomUUID(),
    user_id: userId,
    login_method: method,
    source,
    created_at: new Date(now()),
    authenticated_at: authenticatedAt,
    expires_at: new Date(now() + SESSION_LIFETIME),
    revoked_at: null,
    ...client,
    last_active_at: new Date(now()),
    client_id: limit?.client_id ?? null,
    scope_list: limit?.scope_list ?? null,
  };
  await insertRow(db, 'session', session);
  return session;
}

/** Issues a refresh token until the end of the session. Earlier ones are valid only for a short grace period. */
export async function issueRefreshToken(
  db: IdentityDb,
  { random, now }: Context,
  session: Session,
): Promise<string> {
  await replaceTokens(db, session.sid, new Date(now()));
  const token = newSecret(random);
  await insertRow(db, 'refresh_token', {
    token_hash: secretHash(token),
    sid: session.sid,
    created_at: new Date(now()),
    expires_at: session.expires_at,
  });
  return token;
}

/** The sign-in response: user info, both tokens, and the lifetime of the opaque refresh token. */
export async function signedInUser(
  identity: SessionContext,
  { user, session }: Caller,
  refreshToken: string,
): Promise<SignedInUser> {
  return {
    ...userInfoOf(user),
    access_token: await signAccessToken(identity, user, session),
    refresh_token: refreshToken,
    refresh_expires_in: Math.floor((session.expires_at.getTime() - identity.now()) / 1000),
    login_method: session.login_method,
  };
}

/** Browser and operating system of a sign-in; empty when unknown. */
export type ClientLabel = { browser: string; system: string };

/** Only the first characters of a User-Agent are parsed. */
const READ_CHARACTERS = 512;

/** Pattern in a User-Agent and name of the browser; browsers that imitate others come first. */
const BROWSERS: readonly [word: RegExp, name: string][] = [
  [/\bwxwork\//i, 'WeCom'],
  [/\bMicroMessenger\//i, 'WeChat'],
  [/\bDingTalk\//i, 'DingTalk'],
  [/\b(?:Lark|Feishu)\//i, 'Lark'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bHuaweiBrowser\//, 'Huawei Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly [word: RegExp, name: string][] = [
  [/\b(?:OpenHarmony|HarmonyOS)\b/, 'HarmonyOS'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system of a User-Agent header. The header itself is not stored, for privacy. */
export function clientLabel(userAgent: string | undefined): ClientLabel {
  const text = userAgent?.slice(0, READ_CHARACTERS) ?? '';
  const nameIn = (names: readonly [RegExp, string][]) => names.find(([word]) => word.test(text))?.[1] ?? '';
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}

/** A user's own sessions, and ending them. */
export function serveOwnSessions(app: FastifyInstance): void {
  const { identity } = app;
  implement(app, ownSessionRoutes.listOwnSessions, ({ request }) =>
    listOwnSessions(identity, callerOf(request)),
  );
  implement(app, ownSessionRoutes.endOwnSession, ({ body, request }) =>
    endOwnSession(identity, callerOf(request), { sid: body.sid, log: request.log }),
  );
  implement(app, ownSessionRoutes.endOtherSessions, ({ request }) =>
    endOtherSessions(identity, callerOf(request), request.log),
  );
}

/** How a sign-in method is called; null for the default name of the method. */
type SignInLabel = { source: string; label: string | null };

/** Valid sessions of the caller's browsers, last active first. */
async function listOwnSessions(
  { db, now, methods }: SessionContext & { methods: readonly SignInLabel[] },
  { user, session: current }: Caller,
): Promise<{ session_list: OwnSession[] }> {
  const rows = await readSessionsOf(db, user.user_id, { at: new Date(now()), kind: 'browser' });
  return {
    session_list: rows.map((row) => ({
      ...toSession(row, methods),
      is_current: row.sid === current.sid,
      ...(row.scope_list !== null && { is_in_tool: true }),
    })),
  };
}

/**
 * Ends a session of the caller, also at the gateway.
 * @throws NOT_FOUND when it has ended or belongs to another user
 */
async function endOwnSession(
  identity: SessionContext,
  { user: { user_id } }: Caller,
  { sid, log }: { sid: string; log: FastifyBaseLogger },
): Promise<Record<string, never>> {
  const at = new Date(identity.now());
  if (!(await revokeSession(identity.db, sid, at, user_id))) throw appError('NOT_FOUND');
  log.info({ user_id, sid, action: 'session.end' }, 'account changed');
  await sendBackchannelLogout(identity, { userId: user_id, sids: [sid] }, log);
  return {};
}

/** Ends all sessions of the caller except the current one. */
async function endOtherSessions(
  identity: SessionContext,
  { user: { user_id }, session }: Caller,
  log: FastifyBaseLogger,
): Promise<{ ended: number }> {
  const at = new Date(identity.now());
  const sids = await identity.db
    .transaction()
    .execute((db) => revokeOtherSessions(db, user_id, session.sid, at));
  log.info({ user_id, ended: sids.length, action: 'session.end_others' }, 'account changed');
  await sendBackchannelLogout(identity, { userId: user_id, sids }, log);
  return { ended: sids.length };
}

/** A session as its user sees it. */
export function toSession(row: Session, methods: readonly SignInLabel[]): EndedSession {
  return {
    sid: row.sid,
    browser: row.browser,
    system: row.system,
    login_method: row.login_method,
    login_label: methods.find(({ source }) => source === row.source)?.label ?? null,
    created_at: row.created_at.toISOString(),
    last_active_at: row.last_active_at.toISOString(),
  };
}
