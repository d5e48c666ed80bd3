import { type Client, Filter } from 'ldapts';
import type { LdapSettings } from '../settings/ldap.ts';

const FILTER = '(|(member={dn})(uniqueMember={dn}))';
const NAME = 'cn';
/** More groups than this say nothing about a person any more. */
const GROUPS_MAX = 1000;

/** Names of the groups that an entry is a member of, by a search of their own. */
export async function groupsOf(
  client: Client,
  { base_dn, filter = FILTER, name = NAME }: NonNullable<LdapSettings['groups']>,
  dn: string,
): Promise<string[]> {
  const { searchEntries } = await client.search(base_dn, {
    scope: 'sub',
    filter: filter.replaceAll('{dn}', Filter.escape(dn)),
    attributes: [name],
    sizeLimit: GROUPS_MAX,
  });
  return searchEntries.flatMap((entry) => [entry[name] ?? []].flat().map(String));
}
