import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import {
  Client,
  ConstraintViolationError,
  type Entry,
  Filter,
  InappropriateAuthError,
  InsufficientAccessError,
  InvalidCredentialsError,
  type SearchOptions,
  SizeLimitExceededError,
  UnwillingToPerformError,
} from 'ldapts';
import { startError } from '../../../database/errors.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { trustIn } from '../../../http/outgoing.ts';
import {
  type Credentials,
  type ExternalProfile,
  federatedMethod,
  type PasswordMethod,
  withTimeout,
} from './method.ts';
import { profileOf } from './profile.ts';
import { secretText } from './secrets.ts';
import type { FieldNames, LdapSettings } from './settings-schema.ts';

const FILTER = '(&(objectClass=person)(|(uid={account})(mail={account})(sAMAccountName={account})))';
const GROUP_FILTER = '(|(member={dn})(uniqueMember={dn}))';
const GROUPS_MAX = 1000;
const TIMEOUT = 4000;

/** Attributes of inetOrgPerson (RFC 2798), and `entryUUID`, which a rename does not change (RFC 4530). */
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

/** Errors of directories for a wrong, expired or locked password (RFC 4511 appendix A). */
const REFUSALS = [
  InvalidCredentialsError,
  ConstraintViolationError,
  InappropriateAuthError,
  InsufficientAccessError,
  UnwillingToPerformError,
];

/**
 * Users of an LDAP directory: found by a service account, authenticated by a bind with their own password (RFC 4513
 * section 5.1.3). Each sign-in has its own connection, encrypted, and bound to the service account if configured.
 * @throws StartError when the block would send passwords in plain text, or a configured file cannot be read
 */
export function ldapMethod(
  settings: LdapSettings,
  { source, ca }: { source: string; ca?: string | undefined },
): PasswordMethod {
  const { url, start_tls, allow_plain, bind_dn, bind_password, timeout = TIMEOUT } = settings;
  if (url.startsWith('ldap:') && !start_tls && !allow_plain) {
    throw startError(
      `IDENTITY_METHODS (${source}): ${url} would send passwords in plain text. Use ldaps:// or "start_tls"; ` +
        '"allow_plain" is for a directory on the same machine.',
    );
  }
  const tlsOptions = tlsOf(settings, ca);
  const bindPassword = bind_password === undefined ? '' : secretText(bind_password);

  async function signIn(
    client: Client,
    credentials: Credentials,
    bind: (dn: string) => Promise<boolean>,
  ): Promise<ExternalProfile | undefined> {
    if (start_tls) await client.startTLS({ ...tlsOptions });
    if (bind_dn !== undefined) await client.bind(bind_dn, bindPassword);
    const found = await findEntry(client, settings, credentials.account.trim());
    if (!found) return undefined;
    const { dn, profile } = found;
    const groups = settings.groups ? await groupsOf(client, settings.groups, dn) : profile.groups;
    // From here on the connection is bound to the user, so the groups are searched before.
    return (await bind(dn)) ? { ...profile, groups } : undefined;
  }

  return {
    ...federatedMethod(settings, source),
    kind: 'password',
    async authenticate(credentials, onWrong) {
      // A bind with an empty password is anonymous, and directories accept it.
      if (credentials.account.trim() === '' || credentials.password === '') return undefined;
      const client = new Client({
        url,
        timeout,
        connectTimeout: timeout,
        strictDN: false,
        createConnection: connectOnce(),
        ...(url.startsWith('ldaps:') && { tlsOptions }),
      });
      let isBinding = false;
      const bind = async (dn: string): Promise<boolean> => {
        isBinding = true;
        const isRight = await isPassword(client, dn, credentials.password).finally(() => {
          isBinding = false;
        });
        if (!isRight) onWrong();
        return isRight;
      };
      try {
        return await withTimeout(timeout, signIn(client, credentials, bind));
      } catch (error) {
        // Some directories delay the answer to a wrong password, so a missing one must count like it.
        if (isBinding) onWrong();
        throw isAppError(error) ? error : appError('SERVICE_UNAVAILABLE', { cause: error });
      } finally {
        // The result is known, so errors of the unbind do not matter.
        client.unbind().catch(() => undefined);
      }
    },
  };
}

/** A configured `ca_file` replaces all other certificate authorities. */
function tlsOf({ url, ca_file }: LdapSettings, ca: string | undefined): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const options = { host, minVersion: 'TLSv1.2' } as const;
  if (ca_file === undefined) return { ...options, ...trustIn(ca) };
  try {
    return { ...options, ca: readFileSync(ca_file, 'utf8') };
  } catch (error) {
    throw startError(`IDENTITY_METHODS: the ca_file cannot be read: ${ca_file}.`, error);
  }
}

/**
 * The library reconnects by itself after a broken connection, but without STARTTLS: the password would be sent in plain
 * text.
 */
function connectOnce(): (...given: unknown[]) => Socket {
  let isUsed = false;
  return (port, host) => {
    if (isUsed) throw new Error('the directory closed the connection');
    isUsed = true;
    return connect(Number(port), String(host));
  };
}

/** The entry of an account; undefined for several entries, because a password must not be tried on several users. */
async function findEntry(
  client: Client,
  { base_dn, fields, filter = FILTER }: LdapSettings,
  account: string,
): Promise<{ dn: string; profile: ExternalProfile } | undefined> {
  const names = { ...FIELDS, ...fields };
  const search: SearchOptions = {
    scope: 'sub',
    filter: filter.replaceAll('{account}', Filter.escape(account)),
    attributes: [...new Set(Object.values(names))],
    sizeLimit: 2,
  };
  const { searchEntries } = await client.search(base_dn, search).catch((error: unknown) => {
    if (error instanceof SizeLimitExceededError) return { searchEntries: [] };
    throw error;
  });
  const [entry, second] = searchEntries;
  if (!entry || second) return undefined;
  const profile = profileOf(names, attributesOf(entry));
  return profile && { dn: entry.dn, profile };
}

/** Attribute names are case-insensitive (RFC 4512 section 2.5); binary values are written in hexadecimal. */
function attributesOf(entry: Entry): (name: string) => string[] {
  const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name.toLowerCase()) ?? [];
    return [value].flat().map((one) => (Buffer.isBuffer(one) ? one.toString('hex') : one));
  };
}

async function groupsOf(
  client: Client,
  { base_dn, filter = GROUP_FILTER, name = 'cn' }: NonNullable<LdapSettings['groups']>,
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

async function isPassword(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (REFUSALS.some((refusal) => error instanceof refusal)) return false;
    throw error;
  }
}
