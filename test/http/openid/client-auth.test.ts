import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import t from 'tap';
import type { ClientCredentials } from '../../../server/http/client-credentials.ts';
import { clientAuth } from '../../../server/http/openid/client-auth.ts';

const CLIENT = { client_id: 'square' };
const ISSUER = 'https://sso.example';

/** What a token endpoint receives from a client. */
async function sentBy(credentials: ClientCredentials, methods?: string[], client = CLIENT) {
  const server = { issuer: ISSUER, ...(methods && { token_endpoint_auth_methods_supported: methods }) };
  const [body, headers] = [new URLSearchParams(), new Headers()];
  await clientAuth(credentials)(server, client, body, headers);
  const basic = headers.get('authorization');
  return { basic: basic && atob(basic.replace('Basic ', '')), body: Object.fromEntries(body) };
}
const inForm = (client_secret: string) => ({ basic: null, body: { client_id: 'square', client_secret } });
const BASIC = ['client_secret_basic'];
const POST = ['client_secret_post'];
const BOTH = ['private_key_jwt', ...POST, ...BASIC];

t.test('a client secret reaches servers that decode it and servers that do not', async (t) => {
  const plain = 'aB3-._*';
  for (const methods of [undefined, BASIC, BOTH])
    t.strictSame(await sentBy({ secret: plain }, methods), { basic: `square:${plain}`, body: {} });
  t.strictSame(await sentBy({ secret: plain }, POST), inForm(plain));
  for (const [secret, encoded] of [
    ['a+b/c==', 'a%2Bb%2Fc%3D%3D'],
    ['100%:~!', '100%25%3A%7E%21'],
    ['two words', 'two+words'],
    ['clé', 'cl%C3%A9'],
  ] as const) {
    t.strictSame(await sentBy({ secret }, BOTH), inForm(secret), 'in the form, where nobody disagrees');
    for (const methods of [undefined, BASIC])
      t.strictSame(await sentBy({ secret }, methods), { basic: `square:${encoded}`, body: {} });
  }
  const urn = { client_id: 'urn:square' };
  t.hasStrict(await sentBy({ secret: 'x' }, BOTH, urn), { body: { client_id: 'urn:square' } });
  t.hasStrict(await sentBy({ secret: 'x' }, BASIC, urn), { basic: 'urn%3Asquare:x' });
});

t.test('the method of the settings is used whatever the server says', async (t) => {
  const secret = 'a+b';
  const post = await sentBy({ secret, method: 'client_secret_post' }, BASIC);
  t.strictSame(post, inForm(secret));
  const basic = await sentBy({ secret, method: 'client_secret_basic' }, BOTH);
  t.strictSame(basic, { basic: 'square:a%2Bb', body: {} });
});

t.test('a key signs an assertion for the issuer', async (t) => {
  const keys = [
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    [/^Ed(?:DSA|25519)$/, generateKeyPairSync('ed25519')],
  ] as const;
  for (const [alg, { privateKey: key, publicKey }] of keys) {
    const { basic, body } = await sentBy({ key, keyId: 'k1' }, BASIC);
    t.equal(basic, null);
    t.equal(body.client_assertion_type, 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    const options = { audience: ISSUER, issuer: 'square', subject: 'square' };
    const { protectedHeader } = await jwtVerify(body.client_assertion ?? '', publicKey, options);
    t.match(protectedHeader, { alg, kid: 'k1' });
  }
  const [, { privateKey: key }] = keys[1];
  const { body } = await sentBy({ key, secret: 'x', method: 'private_key_jwt' });
  t.ok(body.client_assertion);
});
