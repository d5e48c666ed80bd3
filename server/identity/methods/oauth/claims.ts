import { personOf, type ReadField } from '../field-names.ts';
import type { ExternalPerson } from '../method.ts';
import type { FieldNames } from '../settings/common.ts';

/** Standard claims (OpenID Connect Core 1.0 section 5.1). */
const FIELDS: Required<FieldNames> = {
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
 * A person from claims. Names may be paths (`realm_access.roles`). An address that the provider has not verified does
 * not count: it could be anybody's.
 */
export function personOfClaims(
  claims: Readonly<Record<string, unknown>>,
  names: FieldNames | undefined,
): ExternalPerson | undefined {
  const read: ReadField = (name) => textsOf(valueAt(claims, name));
  const person = personOf({ ...FIELDS, ...names }, read);
  if (person && claims.email_verified === false) return { ...person, email: undefined };
  return person;
}

function valueAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? Reflect.get(value, part)
        : undefined;
  }
  return value;
}

function textsOf(value: unknown): string[] {
  return [value]
    .flat()
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String);
}
