import { isAppError } from '../../http/errors.ts';
import { accountKey, checkedEmail, checkedNickName } from '../accounts/account-fields.ts';
import type { ExternalProfile } from './method.ts';
import type { FieldNames } from './settings-schemas.ts';

/** A profile from the claims or attributes of another directory, each a list of texts; undefined without a subject. */
export function profileOf(
  names: Required<FieldNames>,
  read: (name: string) => readonly string[],
): ExternalProfile | undefined {
  const first = (name: string): string | undefined => read(name)[0]?.trim() || undefined;
  const subject = first(names.subject);
  if (subject === undefined) return undefined;
  return {
    subject,
    user_name: first(names.user_name),
    email: first(names.email),
    nick_name: first(names.nick_name),
    mobile: first(names.mobile),
    department: first(names.department),
    avatar_url: first(names.avatar_url),
    groups: read(names.groups),
  };
}

/** Standard claims (OpenID Connect Core 1.0 section 5.1). */
const CLAIMS: Required<FieldNames> = {
  subject: 'sub',
  user_name: 'preferred_username',
  email: 'email',
  nick_name: 'name',
  mobile: 'phone_number',
  department: 'department',
  avatar_url: 'picture',
  groups: 'groups',
};

/**
 * A profile from claims. Names may be paths (`realm_access.roles`). An address that the provider has not verified does
 * not count: it could be anybody's.
 */
export function profileOfClaims(
  claims: Readonly<Record<string, unknown>>,
  names: FieldNames | undefined,
): ExternalProfile | undefined {
  const profile = profileOf({ ...CLAIMS, ...names }, (name) =>
    [valueAt(claims, name)]
      .flat()
      .filter((one) => typeof one === 'string' || typeof one === 'number')
      .map(String),
  );
  return profile && claims.email_verified === false ? { ...profile, email: undefined } : profile;
}

function valueAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  const path = Object.hasOwn(claims, name) ? [name] : name.split('.');
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? Reflect.get(value, part)
        : undefined,
    claims,
  );
}

const SHORT = 200;
const NICK_NAME_MAX = 40;

/**
 * A directory's fields as an account takes them. What does not fit is left out, so that an odd entry does not stop a
 * sign-in: only the subject is needed. `nick_name` is empty where nothing can be shown.
 */
export function accountFieldsOf(profile: ExternalProfile) {
  const { avatar_url = '', mobile = '' } = profile;
  const { email, email_key } = validOr<{ email: string; email_key: string | null }>(
    () => checkedEmail(profile.email ?? ''),
    { email: '', email_key: null },
  );
  const names = [profile.nick_name, profile.user_name, email.split('@')[0], profile.subject];
  const nickNames = names.map((name = '') =>
    validOr(() => checkedNickName([...name].slice(0, NICK_NAME_MAX).join('')), ''),
  );
  const user_name = profile.user_name?.trim();
  return {
    email,
    email_key,
    nick_name: nickNames.find(Boolean) ?? '',
    ...(user_name && isUserName(user_name) && { user_name }),
    mobile: mobile.slice(0, SHORT),
    avatar_url: /^https?:\/\//.test(avatar_url) && URL.canParse(avatar_url) ? avatar_url : '',
  };
}

/** By what users recognise a sign-in of theirs. */
export function shownOf(profile: ExternalProfile): { name: string; email: string } {
  const { nick_name: name, email } = accountFieldsOf(profile);
  return { name, email };
}

/** User names hold no @: they must not pass for somebody's address. */
function isUserName(name: string): boolean {
  const key = accountKey(name);
  return key !== null && !key.includes('@') && key.length <= SHORT;
}

function validOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return otherwise;
  }
}
