import type { ExternalProfile } from './method.ts';
import type { FieldNames } from './settings-schema.ts';

/** A profile from claims or attributes, each a list of texts; undefined without a subject. */
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
 * A profile from claims. Names may be paths (`realm_access.roles`). An address that the provider has not verified is
 * ignored, because it could belong to anyone.
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
  return profile && !isVerified(claims.email_verified) ? { ...profile, email: undefined } : profile;
}

/** Providers also send the claim as text; some know only verified addresses and send none. */
function isVerified(claim: unknown): boolean {
  return claim === undefined || claim === true || claim === 'true';
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
