import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader, exportJWK, importJWK } from 'jose';
import t from 'tap';
import { openTokenReader } from '../../../server/community/people/auth/token.ts';
import { isStartError } from '../../../server/database/errors.ts';
import { createEncryptor } from '../../../server/encryption/encryptor.ts';
import { openSigningKey } from '../../../server/encryption/signing-key.ts';
import { assertKeysDecrypt, type Rotation, rotateKeys } from '../../../server/identity/keys/key-ring.ts';
import type { IdentityDb } from '../../../server/identity/schema.ts';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { startGateway } from '../../support/gateway.ts';
import {
  ask,
  ENCRYPTOR,
  identityDatabase,
  KEY_ROTATION,
  newPerson,
  testIdentity,
} from '../../support/identity.ts';
import { silentLog } from '../../support/log.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const readKeys = (db: IdentityDb) => db.selectFrom('signing_key').selectAll().orderBy('signs_from').execute();

function rotation(clock: { now: number }, every: number): Rotation {
  return { now: () => clock.now, encryptor: ENCRYPTOR, every };
}

t.test('concurrent instances create one key, which is stored encrypted', async (t) => {
  const { db, pool } = await identityDatabase(t);
  const clock = { now: Date.now() };
  // Eight open connections make them start at the same time.
  await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.1)')));
  await Promise.all(Array.from({ length: 8 }, () => rotateKeys(db, rotation(clock, KEY_ROTATION))));
  const [key, ...more] = await readKeys(db);
  t.strictSame(more, []);
  t.notOk('d' in (key?.public_jwk ?? {}));
  t.ok((await exportJWK(await importJWK(key?.public_jwk ?? {}, 'EdDSA'))).x);
  const opened = key && openSigningKey(ENCRYPTOR, key);
  t.match(opened, { kty: 'OKP', crv: 'Ed25519', d: String });
  t.notOk(JSON.stringify(key).includes(opened?.d ?? ''));
});

t.test('keys rotate; the next key is published ten minutes ahead by all instances', async (t) => {
  const { db } = await identityDatabase(t);
  const clock = { now: Date.now() };
  const every = 24 * HOUR;
  const rotate = () => Promise.all([1, 2, 3].map(() => rotateKeys(db, rotation(clock, every))));
  await rotate();
  const started = clock.now;
  clock.now = started + every - 21 * MINUTE;
  await rotate();
  t.equal((await readKeys(db)).length, 1, 'not yet');
  clock.now = started + every - 15 * MINUTE;
  await rotate();
  const both = await readKeys(db);
  t.strictSame(
    both.map(({ signs_from, retired_at }) => [signs_from.getTime() - started, retired_at]),
    [
      [0, null],
      [every, null],
    ],
  );
  clock.now = started + every + 5 * MINUTE;
  await rotate();
  t.strictSame(
    (await readKeys(db)).map(({ retired_at }) => retired_at),
    [new Date(clock.now), null],
  );
  clock.now += 16 * MINUTE;
  await rotate();
  t.equal((await readKeys(db)).length, 2, 'its last token is about');
  clock.now += 2 * MINUTE;
  await rotate();
  t.strictSame(
    (await readKeys(db)).map(({ kid }) => kid),
    [both[1]?.kid],
    'gone',
  );
});

t.test('after a long pause the old key signs until the new one is published', async (t) => {
  const { db } = await identityDatabase(t);
  const clock = { now: Date.now() };
  await rotateKeys(db, rotation(clock, HOUR));
  clock.now += 400 * 24 * HOUR;
  await rotateKeys(db, rotation(clock, HOUR));
  await rotateKeys(db, rotation(clock, HOUR));
  t.strictSame(
    (await readKeys(db)).map(({ signs_from }) => signs_from.getTime() - clock.now),
    [-400 * 24 * HOUR, 10 * MINUTE],
  );
});

t.test('a running service, gateway and community follow a rotation', async (t) => {
  // Caches of the published keys use the real clock.
  let passed = 0;
  const realNow = Date.now;
  t.intercept(Date, 'now', { value: () => realNow() + passed });
  const gateway = await startGateway(t, { now: Date.now });
  const { app, db, clock } = await testIdentity(t, { gatewayUrl: gateway.url });
  const advanceClock = (time: number): void => {
    passed += time;
    clock.now += time;
  };
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { readToken: read } = openTokenReader({ url: `${address}${JWKS_PATH}` }, () => clock.now, silentLog);
  gateway.identity.on('GET /.well-known/jwks.json', async (_seen, response) => {
    const published = await app.inject(JWKS_PATH);
    response.setHeader('content-type', 'application/json');
    response.end(published.body);
  });
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const logoutCount = () => gateway.lines().filter(({ event }) => event === 'backchannel_logout').length;
  const endOne = async (access: string) => {
    const { body } = await ask(app, 'GET /user/login/code', { bearer: access });
    await ask(app, `GET /user/login/code/user?code=${body.data.code}`);
    const { status } = await ask(app, 'POST /user/session/sign_out_others', { bearer: access });
    t.equal(status, 200);
  };
  const before = await newPerson(app);
  t.equal((await read(before.access)).user_id, before.userId);
  await endOne(before.access);
  t.equal(logoutCount(), 1, 'the gateway has read the keys too');

  await rotateKeys(db, rotation(clock, MINUTE));
  advanceClock(MINUTE);
  t.equal((await keyIds(app)).length, 2, 'both are published');
  const meanwhile = await newPerson(app);
  t.equal(kidOf(meanwhile.access), kidOf(before.access), 'the old one still signs');
  t.equal((await read(meanwhile.access)).user_id, meanwhile.userId);

  advanceClock(9 * MINUTE);
  const after = await newPerson(app);
  t.not(kidOf(after.access), kidOf(before.access));
  t.equal((await read(after.access)).user_id, after.userId, 'the community takes the new one');
  t.equal((await read(before.access)).user_id, before.userId, 'and the old one');
  t.equal((await ask(app, 'GET /user/userinfo', { bearer: before.access })).status, 200);
  await endOne(after.access);
  t.equal(logoutCount(), 2, 'the gateway takes it too');
});

t.test('keys that were encrypted with other keys fail the start', async (t) => {
  const { db } = await identityDatabase(t);
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const mine = randomBytes(32);
  const others = createEncryptor([randomBytes(32)], 'identity');
  await assertKeysDecrypt(db, others, now);
  await rotateKeys(db, { now, encryptor: createEncryptor([mine], 'identity'), every: KEY_ROTATION });
  const failure = await assertKeysDecrypt(db, others, now).catch((error: unknown) => error);
  t.ok(isStartError(failure));
  t.match(failure, { message: /IDENTITY_KEYS.*identity-keys file.*docs\/sign-in\.md/ });
  await assertKeysDecrypt(db, createEncryptor([randomBytes(32), mine], 'identity'), now);
});

async function keyIds(app: { inject(url: string): Promise<{ json<T>(): T }> }): Promise<string[]> {
  const reply = await app.inject(JWKS_PATH);
  return reply.json<{ keys: { kid: string }[] }>().keys.map(({ kid }) => kid);
}
