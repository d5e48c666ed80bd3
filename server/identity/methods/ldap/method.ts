import { Filter } from 'ldapts';
import { startError } from '../../../database/start-error.ts';
import { offerOf } from '../directory.ts';
import type { PasswordMethod } from '../method.ts';
import { type LdapSettings, requiresTls } from '../settings/ldap.ts';
import { provePassword } from './bind.ts';
import { connectionsTo } from './connection.ts';
import { findEntry } from './find-entry.ts';
import { groupsOf } from './groups.ts';

const FILTER = '(&(objectClass=person)(|(uid={account})(mail={account})(sAMAccountName={account})))';

/**
 * People of an LDAP directory: searched for by a service account, proved by a bind with their own password (RFC 4513
 * section 5.1.3). An empty password would be a bind as nobody, which directories let pass, so they are never asked.
 * @throws StartError when the block would send passwords readable, or its CA file cannot be read
 */
export function ldapMethod(
  settings: LdapSettings,
  { source, ca }: { source: string; ca?: string | undefined },
): PasswordMethod {
  if (requiresTls(settings)) {
    throw startError(
      `IDENTITY_METHODS (${source}): ${settings.url} would carry passwords readable. Use ldaps:// or "start_tls"; ` +
        '"allow_plain" is for a directory on the same machine.',
    );
  }
  const withConnection = connectionsTo(settings, ca);
  const filter = settings.filter ?? FILTER;
  return {
    ...offerOf(settings, source),
    kind: 'password',
    authenticate: async ({ account, password }) => {
      if (account.trim() === '' || password === '') return undefined;
      return withConnection(async (client) => {
        const wanted = filter.replaceAll('{account}', Filter.escape(account.trim()));
        const found = await findEntry(client, settings, wanted);
        if (!found) return undefined;
        const groups = settings.groups
          ? await groupsOf(client, settings.groups, found.dn)
          : found.person.groups;
        return (await provePassword(client, found.dn, password)) ? { ...found.person, groups } : undefined;
      });
    },
  };
}
