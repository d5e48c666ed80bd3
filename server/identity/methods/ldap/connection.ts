import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client } from 'ldapts';
import { startError } from '../../../database/start-error.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { trustIn } from '../../../http/outgoing.ts';
import { inTime } from '../in-time.ts';
import type { LdapSettings } from '../settings/ldap.ts';
import { secretText } from '../settings/read-settings.ts';

const TIMEOUT = 4000;

/**
 * Works on a connection of its own, protected and bound to the service account where the block names one, and closes it.
 * What it returns rejects with SERVICE_UNAVAILABLE when the directory cannot be asked, with the reason for the log.
 */
export type WithConnection = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/** @throws StartError when the CA file or the password file cannot be read */
export function connectionsTo(settings: LdapSettings, ca: string | undefined): WithConnection {
  const { url, start_tls, bind_dn, bind_password, timeout = TIMEOUT } = settings;
  const tlsOptions = tlsOf(settings, ca);
  const password = bind_password === undefined ? '' : secretText(bind_password);
  return async (work) => {
    const client = new Client({
      url,
      timeout,
      connectTimeout: timeout,
      strictDN: false,
      createConnection: connectOnce(),
      ...(url.startsWith('ldaps:') && { tlsOptions }),
    });
    const answer = async () => {
      if (start_tls) await client.startTLS({ ...tlsOptions });
      if (bind_dn !== undefined) await client.bind(bind_dn, password);
      return work(client);
    };
    try {
      return await inTime(timeout, answer());
    } catch (error) {
      throw isAppError(error) ? error : appError('SERVICE_UNAVAILABLE', { cause: error });
    } finally {
      // The answer is there; how the other side takes our leave changes nothing.
      client.unbind().catch(() => undefined);
    }
  };
}

/**
 * The library connects again by itself when a connection has broken, without going over to TLS once more: a password
 * would travel readable.
 */
function connectOnce(): (...given: unknown[]) => Socket {
  let isUsed = false;
  return (port, host) => {
    if (isUsed) throw new Error('the directory has closed the connection');
    isUsed = true;
    return connect(Number(port), String(host));
  };
}

/** The authority of the block holds alone, where there is one. */
function tlsOf({ url, ca_file }: LdapSettings, ca: string | undefined): ConnectionOptions {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, minVersion: 'TLSv1.2', ...(ca_file === undefined ? trustIn(ca) : { ca: readCa(ca_file) }) };
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw startError(`IDENTITY_METHODS names a ca_file that cannot be read: ${file}.`, error);
  }
}
