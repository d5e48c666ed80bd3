import { Value } from 'typebox/value';
import { LoginMethod, UserInfo } from '../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { tolerant } from '../../../shared/tolerant.ts';
import { newSession, type Session } from '../session/session.ts';
import { tokenClaims, tokensOf } from './tokens.ts';
import type { UserServiceAnswer } from './user-service.ts';

/** Longer names of a user or session are not remembered. */
const NAME_LENGTH = 255;

const userShape = shapeOf(UserInfo);

/**
 * The user info of an answer, field by field: what a service leaves out gets the empty value of its type, and nothing
 * beyond the specification's fields passes, tokens least of all. Undefined without a user id.
 */
export function userInfoOf(data: Record<string, unknown>): UserInfo | undefined {
  const user = tolerant(userShape, data, FALLBACK_LANGUAGE);
  return Value.Check(UserInfo, user) ? user : undefined;
}

/** A new session from the answer to a sign-in; undefined when the answer lacks tokens or user. */
export function sessionOf({ data, date }: UserServiceAnswer, now: number): Session | undefined {
  const user = userInfoOf(data);
  const tokens = tokensOf(data, { date, now });
  if (!user || !tokens) return undefined;
  const method = data.login_method;
  const { sub, sid } = tokenClaims(tokens.access_token);
  return newSession(
    {
      ...tokens,
      user,
      sub: shortName(sub) ?? String(user.user_id),
      sid: shortName(sid),
      login_method: Value.Check(LoginMethod, method) ? method : null,
    },
    now,
  );
}

/** By what our own identity service knows the device of this sign-in. */
export function deviceTokenOf({ data }: UserServiceAnswer): string | undefined {
  return typeof data.device_token === 'string' ? data.device_token : undefined;
}

/** How a sign-in service names a user or a session, if it is fit to be remembered. */
export function shortName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH ? value : null;
}
