import { type Client, type Entry, SizeLimitExceededError } from 'ldapts';
import { personOf, type ReadField } from '../field-names.ts';
import type { ExternalPerson } from '../method.ts';
import type { FieldNames } from '../settings/common.ts';
import type { LdapSettings } from '../settings/ldap.ts';

/** Attributes of inetOrgPerson (RFC 2798), and the one that no rename changes (RFC 4530). */
const FIELDS: Required<FieldNames> = {
  subject: 'entryUUID',
  user_name: 'uid',
  email: 'mail',
  nick_name: 'displayName',
  mobile: 'mobile',
  department: 'departmentNumber',
  avatar_url: 'labeledURI',
  groups: 'memberOf',
};

/** The only entry that a filter finds. More than one means nobody: a password must not be tried on several people. */
export async function findEntry(
  client: Client,
  { base_dn, fields }: Pick<LdapSettings, 'base_dn' | 'fields'>,
  filter: string,
): Promise<{ dn: string; person: ExternalPerson } | undefined> {
  const names = { ...FIELDS, ...fields };
  const entries = await search(client, base_dn, filter, [...new Set(Object.values(names))]);
  const [entry] = entries;
  if (!entry || entries.length > 1) return undefined;
  const person = personOf(names, reader(entry));
  return person && { dn: entry.dn, person };
}

async function search(
  client: Client,
  baseDn: string,
  filter: string,
  attributes: string[],
): Promise<readonly Entry[]> {
  try {
    const { searchEntries } = await client.search(baseDn, { scope: 'sub', filter, attributes, sizeLimit: 2 });
    return searchEntries;
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return [];
    throw error;
  }
}

/** Attribute names are compared without regard to case (RFC 4512 section 2.5); octets are written as hexadecimals. */
function reader(entry: Entry): ReadField {
  const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name.toLowerCase()) ?? [];
    return [value].flat().map((one) => (Buffer.isBuffer(one) ? one.toString('hex') : one));
  };
}
