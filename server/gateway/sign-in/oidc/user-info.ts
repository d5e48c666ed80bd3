import { createHash } from 'node:crypto';
import { Value } from 'typebox/value';
import { UserInfo } from '../../../../shared/entities/user.ts';
import { webAddress } from '../private-logout.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Numbers of OpenID Connect Core 1.0's `gender`; 0 is what nobody has told. */
const SEXES: Readonly<Record<string, number>> = { male: 1, female: 2 };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Our fields and the standard claims they come from (OpenID Connect Core 1.0 section 5.1). */
const FROM_CLAIMS: Partial<{ [Field in keyof UserInfo]: (claims: Claims) => UserInfo[Field] }> = {
  user_name: ({ preferred_username, email }) => text(preferred_username) || text(email),
  nick_name: ({ nickname, name, preferred_username }) =>
    text(nickname) || text(name) || text(preferred_username),
  email: ({ email }) => text(email),
  mobile: ({ phone_number }) => text(phone_number),
  sex: ({ gender }) => SEXES[text(gender)] ?? 0,
  birthday: ({ birthdate }) => text(birthdate),
  avatar_url: ({ picture }) => webAddress(picture) ?? '',
};

/** The user info of an OpenID Connect person. `issuer` and `sub` together name him for good. */
export function userInfoOfClaims(issuer: string, sub: string, claims: Claims): UserInfo {
  const mapped = Object.entries(FROM_CLAIMS).map(([field, read]) => [field, read(claims)]);
  return {
    ...Value.Create(UserInfo),
    ...Object.fromEntries(mapped),
    user_id: userIdOf(issuer, sub),
    identification: sub,
  };
}

/** A subject that is a number stays it; any other becomes 52 bits of its hash, the same at every sign-in. */
function userIdOf(issuer: string, sub: string): number {
  const number = Number(sub);
  if (/^[1-9]\d{0,15}$/.test(sub) && Number.isSafeInteger(number)) return number;
  return Number.parseInt(createHash('sha256').update(`${issuer}\n${sub}`).digest('hex').slice(0, 13), 16);
}
