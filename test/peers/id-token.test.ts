import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import type { Tamper } from '../support/openid-provider.ts';
import { openIdMethod, REFUSED, reason } from './support/openid-method.ts';

type Claims = Record<string, unknown> & { iat: number; exp: number };
type Change = (claims: Claims) => Record<string, unknown>;

const MINUTES = 60;
const provider = await generateKeyPair('RS256');
const stranger = await generateKeyPair('RS256');
const published = JSON.stringify({
  keys: [{ ...(await exportJWK(provider.publicKey)), kid: 'test', alg: 'RS256', use: 'sig' }],
});

const payloadOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** The provider signs with a key of the test, so that tokens with any claims have a valid signature. */
const answering =
  (idToken: (token: string) => unknown): Tamper =>
  async (path, body) => {
    if (path === '/jwks') return published;
    if (path !== '/token') return body;
    const answer = JSON.parse(body);
    return JSON.stringify({ ...answer, id_token: await idToken(answer.id_token) });
  };

const sign = (claims: Record<string, unknown>, key: CryptoKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(key);
const signed = (change: Change, key = provider.privateKey): Tamper =>
  answering((token) => sign(change(payloadOf(token)), key));
/** A provider with clock skew in seconds, whose tokens are valid for one minute. */
const off = (seconds: number): Tamper =>
  signed(({ iat, ...claims }) => ({ ...claims, iat: iat + seconds, exp: iat + seconds + MINUTES }));

const unsigned = answering((token) => {
  const header = Buffer.from('{"alg":"none"}').toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
});
const changed = answering(async (token) => {
  const [header, , signature] = (await sign(payloadOf(token), provider.privateKey)).split('.');
  const payload = JSON.stringify({ ...payloadOf(token), sub: 'root' });
  return `${header}.${Buffer.from(payload).toString('base64url')}.${signature}`;
});
const earlier = await sign({ sub: 'ada' }, provider.privateKey);

const TAKEN: [title: string, tamper: Tamper][] = [
  ['as the provider issued it', signed((claims) => claims)],
  ['a clock two minutes ahead', off(2 * MINUTES)],
  ['a clock two minutes behind', off(-2 * MINUTES)],
  ['dated five minutes back, good for an hour', signed((claims) => ({ ...claims, iat: claims.iat - 300 }))],
];
const REFUSALS: [title: string, tamper: Tamper][] = [
  ['expired', signed((claims) => ({ ...claims, exp: claims.iat - 10 * MINUTES }))],
  ['a clock ten minutes ahead', off(10 * MINUTES)],
  ['a clock ten minutes behind', off(-10 * MINUTES)],
  ['issued ten minutes ago, valid for an hour', signed((claims) => ({ ...claims, iat: claims.iat - 600 }))],
  ['changed afterwards', changed],
  ['unsigned', unsigned],
  ["somebody else's key", signed((claims) => claims, stranger.privateKey)],
  ['another audience', signed((claims) => ({ ...claims, aud: 'somebody' }))],
  ['another issuer', signed((claims) => ({ ...claims, iss: 'https://another.example' }))],
  ['of another sign-in', signed((claims) => ({ ...claims, nonce: 'x' }))],
  ['replayed', answering(() => earlier)],
  ['none', answering(() => undefined)],
  ['no token', answering(() => 'hello')],
];

t.test('accepts only ID tokens that the provider has signed, for us, now', async (t) => {
  const { begin, visit, back, openid } = await openIdMethod(t);
  const bringing = async (tamper: Tamper) => {
    openid.tamper = tamper;
    return back(await visit(await begin()));
  };
  for (const [title, tamper] of TAKEN) t.ok((await bringing(tamper)).searchParams.get('code'), title);
  for (const [title, tamper] of REFUSALS) t.strictSame(reason(await bringing(tamper)), REFUSED, title);
});
