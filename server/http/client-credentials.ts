import { createPrivateKey, type KeyObject } from 'node:crypto';

/** How a client authenticates at a token endpoint (OpenID Connect Core 1.0 section 9). */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** What an operator has set; there is a secret or a key. */
export type ClientCredentials = {
  /** By default the method follows from the rest and from the server's metadata. */
  method?: ClientAuthMethod | undefined;
  secret?: string | undefined;
  /** RSA, EC or Ed25519, for `private_key_jwt`. */
  key?: KeyObject | undefined;
  /** The `kid` by which the server knows the key. */
  keyId?: string | undefined;
};

const KEY_TYPES: ReadonlySet<unknown> = new Set(['rsa', 'ec', 'ed25519']);

/** @throws Error, without the text, when it is not an RSA, EC or Ed25519 private key in PEM */
export function readPrivateKey(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The message of OpenSSL may contain the key.
  }
  if (key && KEY_TYPES.has(key.asymmetricKeyType)) return key;
  throw new Error('not a private key');
}
