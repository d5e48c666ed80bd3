import { randomUUID } from 'node:crypto';
import type { SignedInUser } from '../../../shared/user-service.ts';
import { userInfoOf } from '../accounts/account-fields.ts';
import type { IdentityContext } from '../context.ts';
import { SESSION_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { newSecret, type Random, secretHash } from '../secret.ts';
import { signAccessToken } from './access-token.ts';
import type { Caller } from './caller.ts';
import { type By, insertRefreshToken, insertSession, replaceTokens, type Session } from './store.ts';

type Context = { random: Random; now: () => number };

/** Whose session begins, by what, and when they proved who they are. */
type Begun = By & { userId: number; authenticatedAt: Date | null; client: ClientLabel };

/** Begins a session; its end is fixed from the start. */
export async function startSession(
  db: IdentityDb,
  { now }: Context,
  { userId, method, source, authenticatedAt, client }: Begun,
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
  };
  await insertSession(db, session);
  return session;
}

/** A refresh token that is good until the session ends. Earlier ones of the session soon run out. */
export async function issueRefreshToken(
  db: IdentityDb,
  { random, now }: Context,
  session: Session,
): Promise<string> {
  await replaceTokens(db, session.sid, new Date(now()));
  const token = newSecret(random);
  await insertRefreshToken(db, {
    token_hash: secretHash(token),
    sid: session.sid,
    created_at: new Date(now()),
    expires_at: session.expires_at,
  });
  return token;
}

/** The sign-in answer: user info, both tokens, and what the wire cannot tell from an opaque token. */
export async function signedInUser(
  identity: IdentityContext,
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

/** What a user signed in with, in a word each; empty when it is not known. */
export type ClientLabel = { browser: string; system: string };

/** More of a User-Agent is not read. */
const READ_CHARACTERS = 512;

/** Word of a User-Agent and what people call the program; those that pass for others come first. */
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

/** Browser and system of a User-Agent header. Nothing else of it is stored: it tells more of a user than is needed. */
export function clientLabel(userAgent: string | undefined): ClientLabel {
  const text = userAgent?.slice(0, READ_CHARACTERS) ?? '';
  const nameIn = (names: readonly [RegExp, string][]) => names.find(([word]) => word.test(text))?.[1] ?? '';
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
