import { createRemoteJWKSet, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
import t from 'tap';
import { decryptKey } from '../../../server/identity/keys/key-ring.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER, JWKS_PATH } from '../../../shared/user-service.ts';
import { ask, ENCRYPTOR, newPerson, testIdentity } from '../../support/identity.ts';

const { app, db, clock } = await testIdentity(t);
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const rules = { issuer: ACCESS_TOKEN_ISSUER, audience: ACCESS_TOKEN_AUDIENCE, algorithms: ['EdDSA'] };

t.test('other services verify an access token with the published keys over HTTP', async (t) => {
  const tokens = await newPerson(app);
  const { payload, protectedHeader } = await jwtVerify(
    tokens.access,
    createRemoteJWKSet(new URL(`${address}${JWKS_PATH}`)),
    { ...rules, currentDate: new Date(clock.now) },
  );
  t.match(protectedHeader, { alg: 'EdDSA', typ: 'at+jwt', kid: String });
  const issuedAt = Math.floor(clock.now / 1000);
  t.match(payload, {
    iss: 'plugin-square-identity',
    aud: 'plugin-square',
    sub: String(tokens.userId),
    role: 0,
    nick_name: /^Person/,
    avatar_url: '',
    sid: /^[\da-f-]{36}$/,
    jti: /^[\da-f-]{36}$/,
    iat: issuedAt,
    exp: issuedAt + 15 * 60,
  });
  t.equal(Object.keys(payload).length, 10, 'and nothing else is in it');
});

t.test('the published keys are public and cacheable', async (t) => {
  const reply = await fetch(`${address}${JWKS_PATH}`);
  t.equal(reply.status, 200);
  t.equal(reply.headers.get('cache-control'), 'public, max-age=300');
  const set = await reply.json();
  t.equal(set.keys.length, 1);
  t.strictSame(Object.keys(set.keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  t.hasStrict(set.keys[0], { alg: 'EdDSA', crv: 'Ed25519', kty: 'OKP', use: 'sig' });
});

t.test('real responses have the Date header with which clients correct their clocks', async (t) => {
  const tokens = await newPerson(app);
  const reply = await fetch(`${address}/user/refresh_token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.refresh}` },
  });
  t.equal(reply.status, 200);
  t.ok(Math.abs(Date.parse(reply.headers.get('date') ?? '') - Date.now()) < 5000);
});

t.test('other tokens of this service are rejected', async (t) => {
  const tokens = await newPerson(app);
  const key = await db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow();
  const ours = await importJWK(decryptKey(ENCRYPTOR, key) ?? {}, 'EdDSA');
  const foreign = (await generateKeyPair('EdDSA')).privateKey;
  const { payload } = await jwtVerify(tokens.access, await importJWK(key.public_jwk, 'EdDSA'), {
    ...rules,
    currentDate: new Date(clock.now),
  });
  const forge = (claims: Record<string, unknown>, typ = 'at+jwt', signer = ours) =>
    new SignJWT({ ...payload, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ })
      .sign(signer);
  const statusOf = async (token: string) => (await ask(app, 'GET /user/userinfo', { bearer: token })).status;

  t.equal(await statusOf(await forge({})), 200, 'the forger works');
  t.equal(await statusOf(await forge({}, 'JWT')), 401, 'other kind');
  t.equal(await statusOf(await forge({}, 'at+jwt', foreign)), 401, 'other key');
  t.equal(await statusOf(await forge({ aud: 'another' })), 401);
  t.equal(await statusOf(await forge({ iss: 'another' })), 401);
  t.equal(await statusOf(await forge({ exp: Math.floor(clock.now / 1000) })), 401);
  t.equal(await statusOf(await forge({ exp: undefined })), 401);
  t.equal(await statusOf(await forge({ sid: undefined })), 401);
  t.equal(await statusOf(await forge({ sid: 'not-a-session' })), 401);
  t.equal(await statusOf(await forge({ sid: 7 })), 401);
  t.equal(await statusOf(await forge({ sid: '00000000-0000-4000-8000-000000000000' })), 401);
});
