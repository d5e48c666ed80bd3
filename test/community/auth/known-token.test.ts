import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { openTokenReader } from '../../../server/community/auth/token.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER } from '../../../shared/user-service.ts';
import { silentLog } from '../../support/log.ts';
import { portOf } from '../../support/port.ts';

const MINUTE = 60_000;
const INVALID = { code: 'TOKEN_INVALID', message: 'The token is not valid.' };

/** A key of an identity service, and what it has signed for a person for an hour from `now`. */
async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA');
  const sign = (now: number): Promise<string> =>
    new SignJWT({ role: 1, nick_name: 'Ada', avatar_url: '' })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer(ACCESS_TOKEN_ISSUER)
      .setAudience(ACCESS_TOKEN_AUDIENCE)
      .setSubject('7')
      .setExpirationTime(Math.floor(now / 1000) + 3600)
      .sign(privateKey);
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' }, sign };
}

async function openKeys(t: { teardown(handler: () => void): void }) {
  const published: { keys: unknown[] } = { keys: [] };
  const seen = { reads: 0 };
  const server = createServer((_request, response) => {
    seen.reads += 1;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(published));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const clock = { now: Date.now() };
  const read = openTokenReader(`http://127.0.0.1:${portOf(server)}/jwks`, () => clock.now, silentLog);
  return { published, seen, clock, read };
}

t.test('a token that is known expires all the same', async (t) => {
  const { published, clock, read } = await openKeys(t);
  const key = await newKey('one');
  published.keys = [key.jwk];
  const token = await key.sign(clock.now);
  t.equal((await read(token)).user_id, 7);
  clock.now = (Math.floor(clock.now / 1000) + 3600) * 1000 - 1;
  t.equal((await read(token)).user_id, 7);
  clock.now += 1;
  await t.rejects(read(token), INVALID);
});

t.test('a token that is known ends with the key that signed it', async (t) => {
  const { published, seen, clock, read } = await openKeys(t);
  const [old, next] = [await newKey('old'), await newKey('next')];
  published.keys = [old.jwk];
  const token = await old.sign(clock.now);
  t.equal((await read(token)).user_id, 7);
  published.keys = [next.jwk];
  t.equal((await read(token)).user_id, 7, 'until the keys are read anew');
  clock.now += 10 * MINUTE;
  await read(token);
  while (seen.reads < 2) await delay(5);
  await delay(50);
  await t.rejects(read(token), INVALID);
  t.equal((await read(await next.sign(clock.now))).user_id, 7);
});

t.test('another token with the same words is looked at', async (t) => {
  const { published, clock, read } = await openKeys(t);
  const key = await newKey('one');
  published.keys = [key.jwk];
  const token = await key.sign(clock.now);
  await read(token);
  const [head, claims] = token.split('.');
  const [, , signature] = (await key.sign(clock.now + MINUTE)).split('.');
  await t.rejects(read(`${head}.${claims}.${signature}`), INVALID);
});
