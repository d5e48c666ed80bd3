import { readFileSync } from 'node:fs';
import { startError } from '../../../database/errors.ts';
import { type ClientCredentials, readPrivateKey } from '../../../http/client-credentials.ts';
import type { ClientSettings, Secret } from './settings-schema.ts';

/** @throws StartError without what the method needs */
export function checkCredentials(settings: ClientSettings, place: string): void {
  const { client_secret, client_key, client_auth } = settings;
  if (client_secret === undefined && client_key === undefined)
    throw startError(`${place}: it needs a client_secret or a client_key.`);
  const needed = client_auth === 'private_key_jwt' ? 'client_key' : 'client_secret';
  if (client_auth !== undefined && settings[needed] === undefined)
    throw startError(`${place}: ${client_auth} needs a ${needed}.`);
  clientCredentials(settings);
}

/** @throws StartError when a file cannot be read, or the key is not a private key */
export function clientCredentials(settings: ClientSettings): ClientCredentials {
  const { client_secret, client_key, client_key_id, client_auth } = settings;
  return {
    method: client_auth,
    secret: client_secret === undefined ? undefined : secretText(client_secret),
    key: client_key === undefined ? undefined : privateKeyOf(secretText(client_key)),
    keyId: client_key_id,
  };
}

function privateKeyOf(text: string) {
  try {
    return readPrivateKey(text);
  } catch {
    throw startError('IDENTITY_METHODS has a client_key that is not a private key in PEM.');
  }
}

/** @throws StartError when the file of the secret cannot be read */
export function secretText(secret: Secret): string {
  if (typeof secret === 'string') return secret;
  try {
    return readFileSync(secret.file, 'utf8').trim();
  } catch (error) {
    throw startError(`IDENTITY_METHODS names a file that cannot be read: ${secret.file}.`, error);
  }
}
