import { Value } from 'typebox/value';
import { LoginMethod, UserInfo } from '../../../shared/entities/user.ts';
import { newSessionId, type Session } from '../session/session.ts';
import { localExpiry } from '../session/token-times.ts';
import type { UserServiceAnswer } from './user-service.ts';

/**
 * The user info of an answer, field by field: what a service leaves out or writes otherwise gets the empty value of its
 * type, and nothing beyond the specification's fields passes, tokens least of all. Undefined without a user id.
 */
export function userInfoOf(data: Record<string, unknown>): UserInfo | undefined {
  if (!Number.isInteger(data.user_id)) return undefined;
  const empty = Value.Create(UserInfo);
  const known = Object.entries(UserInfo.properties).flatMap(([name, schema]) =>
    Value.Check(schema, data[name]) ? [[name, data[name]]] : [],
  );
  const user: unknown = { ...empty, ...Object.fromEntries(known) };
  return Value.Check(UserInfo, user) ? user : undefined;
}

export type Tokens = Pick<Session, 'access_token' | 'refresh_token' | 'access_expires' | 'refresh_expires'>;

/** The tokens of a sign-in or refresh answer with their times; a refresh may leave the refresh token as it was. */
export function tokensOf(
  answer: UserServiceAnswer,
  now: number,
  former?: Pick<Session, 'refresh_token' | 'refresh_expires'>,
): Tokens | undefined {
  const { access_token, refresh_token, expires_in, refresh_expires_in } = answer.data;
  const refresh = isToken(refresh_token) ? refresh_token : former?.refresh_token;
  if (!isToken(access_token) || refresh === undefined) return undefined;
  const times = { date: answer.date, now };
  const refreshExpires = localExpiry({ token: refresh, lifetime: refresh_expires_in, ...times });
  const isSame = refresh === former?.refresh_token;
  return {
    access_token,
    refresh_token: refresh,
    access_expires: localExpiry({ token: access_token, lifetime: expires_in, ...times }),
    refresh_expires: refreshExpires ?? (isSame ? former.refresh_expires : null),
  };
}

/** A header value can carry it, so it can be sent as a bearer (RFC 6750 section 2.1). */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.~+/=-]+$/.test(value);
}

/** A new session from the answer to a code; undefined when the answer lacks tokens or user. */
export function sessionOf(answer: UserServiceAnswer, now: number): Session | undefined {
  const user = userInfoOf(answer.data);
  const tokens = tokensOf(answer, now);
  if (!user || !tokens) return undefined;
  const method = answer.data.login_method;
  return {
    ...tokens,
    id: newSessionId(),
    generation: 0,
    started: now,
    seen: now,
    login_method: Value.Check(LoginMethod, method) ? method : null,
    user,
  };
}
