import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Client } from 'ldapts';
import { startError } from '../../../database/start-error.ts';
import { appError } from '../../../http/errors.ts';
import type { LdapSettings } from '../settings/ldap.ts';
import { secretText } from '../settings/read-settings.ts';

const TIMEOUT = 5000;

/** Opens a connection that is protected and, where the block names a service account, bound to it. */
export type OpenConnection = () => Promise<Client>;

/** @throws StartError when the CA file or the password file cannot be read */
export function connectionsTo(settings: LdapSettings): OpenConnection {
  const { url, start_tls, bind_dn, bind_password, timeout = TIMEOUT } = settings;
  const tlsOptions = tlsOf(settings);
  const password = bind_password === undefined ? '' : secretText(bind_password);
  return async () => {
    const client = new Client({
      url,
      timeout,
      connectTimeout: timeout,
      strictDN: false,
      ...(url.startsWith('ldaps:') && { tlsOptions }),
    });
    try {
      if (start_tls) await client.startTLS(tlsOptions);
      if (bind_dn !== undefined) await client.bind(bind_dn, password);
    } catch (error) {
      await client.unbind().catch(() => undefined);
      throw error;
    }
    return client;
  };
}

/**
 * Works on a connection of its own, which is closed afterwards.
 * @throws SERVICE_UNAVAILABLE when the directory cannot be asked, with the reason for the log
 */
export async function withConnection<T>(
  open: OpenConnection,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  let client: Client | undefined;
  try {
    client = await open();
    return await work(client);
  } catch (error) {
    throw appError('SERVICE_UNAVAILABLE', { cause: error });
  } finally {
    // The answer is there; that the other side has hung up first changes nothing.
    await client?.unbind().catch(() => undefined);
  }
}

function tlsOf({ url, ca_file }: LdapSettings): ConnectionOptions {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, minVersion: 'TLSv1.2', ...(ca_file !== undefined && { ca: readCa(ca_file) }) };
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw startError(`IDENTITY_METHODS names a ca_file that cannot be read: ${file}.`, error);
  }
}
