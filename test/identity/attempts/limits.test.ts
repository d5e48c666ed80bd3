import t from 'tap';
import { openPool } from '../../../server/database/pool.ts';
import { createIdentity } from '../../../server/identity/app.ts';
import { delayAfter, networkAddress, POLICIES } from '../../../server/identity/attempts/rate-limit.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  ENCRYPTOR,
  KEY_ROTATION,
  PUBLIC_URL,
  signUp,
  type TestIdentity,
  testIdentity,
} from '../../support/identity.ts';
import { silentLog } from '../../support/log.ts';

type App = TestIdentity['app'];

function signIn(app: App, account: string, password: string, from = '198.51.100.7') {
  return ask(app, 'POST /user/page/sign_in', {
    body: { account, password, redirect_uri: CALLBACK },
    headers: { 'x-forwarded-for': from },
  });
}

async function fail(app: App, times: number, account: string, from?: string): Promise<void> {
  for (let tried = 0; tried < times; tried += 1) await signIn(app, account, 'wrong password', from);
}

t.test('attempts without a delay do not delay an instance whose clock is behind', async (t) => {
  const { app, clock } = await testIdentity(t);
  await fail(app, 1, 'somebody@example.org');
  t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200);
  clock.now -= 30_000;
  t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200);
});

t.test('after five wrong passwords each further guess must wait twice as long', async (t) => {
  const { app, clock } = await testIdentity(t);
  await fail(app, 5, ADMIN.email);
  const refused = await signIn(app, ADMIN.email, ADMIN.password);
  t.equal(refused.status, 429, 'with the right password too');
  t.strictSame(refused.body, { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Try again later.' });
  t.equal(refused.headers['retry-after'], '2');
  clock.now += 1500;
  t.equal((await signIn(app, ADMIN.email, ADMIN.password)).headers['retry-after'], '1');
  clock.now += 500;
  t.equal((await signIn(app, ADMIN.email, 'wrong password')).status, 401);
  t.equal((await signIn(app, ADMIN.email, 'wrong password')).headers['retry-after'], '4');
  clock.now += 4000;
  t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200, 'the owner comes in after the wait');
  await fail(app, 4, ADMIN.email);
  t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200, 'and the count started again');
});

t.test('an unknown account is limited in the same way', async (t) => {
  const { app } = await testIdentity(t);
  await fail(app, 5, 'nobody@example.org');
  const refused = await signIn(app, ' NOBODY@example.org', 'wrong password');
  t.equal(refused.status, 429);
  t.equal(refused.headers['retry-after'], '2');
  t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200, 'others are not');
});

t.test('parallel guesses do not bypass the limit, on two instances', async (t) => {
  const { app, clock, databaseUrl } = await testIdentity(t);
  const pool = openPool(databaseUrl, { applicationName: 'second', schema: 'identity', log: silentLog });
  const { log } = app;
  const second = await createIdentity({
    pool,
    log,
    now: () => clock.now,
    encryptor: ENCRYPTOR,
    keyRotation: KEY_ROTATION,
    publicUrl: 'https://square.example',
  });
  t.teardown(async () => {
    await second.close();
    await pool.end();
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => signIn(index % 2 ? app : second, ADMIN.email, 'wrong password')),
  );
  t.equal(answers.filter(({ status }) => status === 401).length, 5);
  t.equal(answers.filter(({ status }) => status === 429).length, 15);
});

t.test('an address has 30 attempts across all accounts', async (t) => {
  const { app, clock } = await testIdentity(t);
  for (let tried = 0; tried < 30; tried += 1) await fail(app, 1, `nobody${tried}@example.org`);
  const refused = await signIn(app, ADMIN.email, ADMIN.password);
  t.equal(refused.status, 429);
  t.equal(refused.headers['retry-after'], '1');
  t.equal((await signIn(app, ADMIN.email, ADMIN.password, '198.51.100.8')).status, 200, 'others are free');
  clock.now += 60 * 60 * 1000;
  await fail(app, 2, 'nobody@example.org');
  t.equal(
    (await signIn(app, ADMIN.email, ADMIN.password)).status,
    200,
    'the count resets after an hour without attempts',
  );
});

t.test('successful sign-ins do not use up the attempts of their address', async (t) => {
  const { app } = await testIdentity(t);
  for (let tried = 0; tried < 35; tried += 1) {
    t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200);
  }
});

t.test('sign-ups from one address are delayed after 30', async (t) => {
  const { app } = await testIdentity(t);
  for (let made = 0; made < 30; made += 1) await signUp(app);
  const answer = await ask(app, 'POST /user/page/sign_up', {
    body: {
      email: 'late@example.org',
      nick_name: 'Late',
      password: 'violet-umbrella-tram',
      redirect_uri: CALLBACK,
    },
  });
  t.equal(answer.status, 429);
  t.equal(answer.headers['retry-after'], '2');
});

t.test('only the gateway can set the address of the client', async (t) => {
  const { app } = await testIdentity(t);
  const statusFrom = async (index: number) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/user/page/sign_in',
      remoteAddress: '203.0.113.9',
      headers: { 'x-forwarded-for': `198.51.100.${index}` },
      payload: { account: `nobody${index}`, password: 'wrong password', redirect_uri: `${PUBLIC_URL}/` },
    });
    return reply.statusCode;
  };
  for (let tried = 0; tried < 30; tried += 1) t.equal(await statusFrom(tried), 401);
  t.equal(await statusFrom(30), 429);
});

t.test('delays grow up to a maximum', (t) => {
  const policy = POLICIES['sign-in network'];
  t.strictSame(
    [1, 4, 5, 6, 7, 13, 14, 15, 5000].map((attempts) => delayAfter(policy, attempts) / 1000),
    [0, 0, 2, 4, 8, 512, 900, 900, 900],
  );
  t.end();
});

t.test('an IPv6 network counts as one address', (t) => {
  t.equal(networkAddress('198.51.100.7'), '198.51.100.7');
  t.equal(networkAddress('::ffff:198.51.100.7'), '198.51.100.7');
  t.equal(networkAddress('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.equal(networkAddress('2001:0DB8:0001:0002::9'), '2001:db8:1:2::/64');
  t.equal(networkAddress('2001:db8::1'), '2001:db8:0:0::/64');
  t.equal(networkAddress('fe80::1%eth0'), 'fe80:0:0:0::/64');
  t.equal(networkAddress('::1'), '0:0:0:0::/64');
  t.end();
});
