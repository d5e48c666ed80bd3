import { importJWK } from 'jose';
import { type ClientAuth, ClientSecretPost, PrivateKeyJwt } from 'openid-client';
import type { ClientAuthMethod, ClientCredentials } from '../client-credentials.ts';

/**
 * Authenticates with the method of the settings. By default: a key without a secret by `private_key_jwt`; a secret by HTTP
 * Basic unless the server supports only the form (OpenID Connect Discovery 1.0 section 3). Servers disagree about Basic
 * credentials that need encoding (RFC 6749 section 2.3.1), so those are sent in the form where it is supported.
 */
export function clientAuth(credentials: ClientCredentials): ClientAuth {
  const secret = credentials.secret ?? '';
  const auths: Readonly<Record<ClientAuthMethod, ClientAuth>> = {
    client_secret_basic: basicAuth(secret),
    client_secret_post: (...call) => ClientSecretPost(secret)(...call),
    private_key_jwt: keyAuth(credentials),
  };
  return (server, client, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPlain = [client.client_id, secret].every((text) => formEncoded(text) === text);
    const usesForm =
      supported.includes('client_secret_post') && !(isPlain && supported.includes('client_secret_basic'));
    const bySecret = usesForm ? 'client_secret_post' : 'client_secret_basic';
    const fitting = credentials.secret === undefined ? 'private_key_jwt' : bySecret;
    return auths[credentials.method ?? fitting](server, client, ...rest);
  };
}

/**
 * HTTP Basic. The library's also encodes `-`, `.`, `_` and `*`, which `application/x-www-form-urlencoded` leaves as they are:
 * a server that decodes reads the same, and one that does not is only then right.
 */
function basicAuth(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const credentials = btoa(`${formEncoded(client_id)}:${formEncoded(secret)}`);
    headers.set('authorization', `Basic ${credentials}`);
  };
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

/** Algorithms by key type; that of an EC key follows from its curve. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  RSA: 'RS256',
  OKP: 'EdDSA',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
};

function keyAuth({ key, keyId }: ClientCredentials): ClientAuth {
  let auth: Promise<ClientAuth> | undefined;
  async function open(): Promise<ClientAuth> {
    if (!key) throw new Error('private_key_jwt without a key');
    const jwk = key.export({ format: 'jwk' });
    const algorithm = ALGORITHMS[jwk.kty ?? ''] ?? ALGORITHMS[jwk.crv ?? ''];
    const imported = await importJWK({ ...jwk }, algorithm);
    if (imported instanceof Uint8Array) throw new Error('not a private key');
    return PrivateKeyJwt(keyId === undefined ? imported : { key: imported, kid: keyId });
  }
  return async (...call) => {
    auth ??= open();
    await (await auth)(...call);
  };
}
