import t from 'tap';
import { openPool } from '../../../../server/database/pool.ts';
import { createIdentity } from '../../../../server/identity/app.ts';
import { delayAfter, POLICIES } from '../../../../server/identity/sign-in/attempts/rate-limit.ts';
import {
  ADMIN,
  type Answer,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  EXCHANGE,
  exchange,
  KEY_ROTATION,
  PUBLIC_URL,
  signUp,
  type TestIdentity,
  testIdentity,
} from '../../../support/identity.ts';
import { silentLog } from '../../../support/log.ts';
import { GATEWAY_TO_IDENTITY, SERVICE_KEYS } from '../../../support/service-keys.ts';

t.test('limits of attempts', async (t) => {
  type App = TestIdentity['app'];

  function signIn(app: App, account: string, password: string, from = '198.51.100.7') {
    return ask(app, 'POST /user/page/sign_in', {
      body: { account, password, redirect_uri: CALLBACK },
      headers: { authorization: GATEWAY_TO_IDENTITY, 'x-forwarded-for': from },
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
    t.equal(
      (await signIn(app, ADMIN.email, ADMIN.password)).status,
      200,
      'the owner comes in after the wait',
    );
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

  t.test('a port, quotes or another spelling make no other address', async (t) => {
    const { app } = await testIdentity(t);
    for (const from of [
      '[2001:db8::7]:1',
      '[2001:db8::7]:2',
      '"[2001:db8::7]:3"',
      '2001:DB8:0::7',
      '2001:db8::8',
    ])
      t.equal((await signIn(app, ADMIN.email, 'wrong password', from)).status, 401, from);
    t.equal((await signIn(app, ADMIN.email, 'wrong password', '[2001:db8::7]:6')).status, 429);
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
      serviceKeys: SERVICE_KEYS,
      publicUrl: 'https://square.example',
    });
    t.teardown(async () => {
      await second.close();
      await pool.end();
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        signIn(index % 2 ? app : second, ADMIN.email, 'wrong password'),
      ),
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

  t.test('a right password does not free its address of the guesses on other accounts', async (t) => {
    const { app } = await testIdentity(t);
    for (let tried = 0; tried < 29; tried += 1) await fail(app, 1, `nobody${tried}@example.org`);
    t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200);
    await fail(app, 1, 'nobody29@example.org');
    t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 429);
  });

  t.test('successful sign-ins do not use up the attempts of their address', async (t) => {
    const { app } = await testIdentity(t);
    for (let tried = 0; tried < 35; tried += 1) {
      t.equal((await signIn(app, ADMIN.email, ADMIN.password)).status, 200);
    }
  });

  t.test('sign-ups from one address are delayed after 30', async (t) => {
    const { app } = await testIdentity(t);
    const signUpAs = (name: string) =>
      ask(app, 'POST /user/page/sign_up', {
        body: {
          email: `${name}@example.org`,
          nick_name: name,
          password: 'violet-umbrella-tram',
          redirect_uri: CALLBACK,
        },
      });
    for (let made = 0; made < 30; made += 1) t.equal((await signUpAs(`early${made}`)).status, 200);
    const answer = await signUpAs('late');
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
        headers: { authorization: GATEWAY_TO_IDENTITY, 'x-forwarded-for': `198.51.100.${index}` },
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
});

t.test('lock out', async (t) => {
  type Test = Parameters<typeof testIdentity>[0];

  const SIGN_IN = 'POST /user/page/sign_in';
  const HOME = '198.51.100.7';
  const HOUR = 60 * 60 * 1000;
  const DAY = 24 * HOUR;

  /** A user with a known browser, and attackers who guess. */
  async function setUp(t: Test) {
    const identity = await testIdentity(t);
    const { app } = identity;
    const { email, password, code } = await signUp(app);
    const headersOf = (from: string, devices?: string) => ({
      'x-forwarded-for': from,
      ...(devices !== undefined && { 'x-known-devices': devices }),
    });
    const signIn = (account: string, typed: string, from = HOME, devices?: string) =>
      ask(app, SIGN_IN, {
        body: { account, password: typed, redirect_uri: CALLBACK },
        headers: headersOf(from, devices),
      });
    /** The device token for a browser that already has `devices`. */
    const deviceOf = async (answer: Answer | string, devices?: string): Promise<string> => {
      const given = typeof answer === 'string' ? answer : codeIn(answer);
      const headers = headersOf('127.0.0.1', devices);
      const { body } = await ask(app, EXCHANGE + given, { headers });
      return String(body.data.device_token);
    };
    /** A number of wrong passwords, each from a different network. */
    const guess = async (account: string, times: number, network = 1): Promise<number[]> => {
      const statuses: number[] = [];
      for (let index = 0; index < times; index += 1) {
        const from = `10.${network}.${Math.floor(index / 250)}.${index % 250}`;
        statuses.push((await signIn(account, 'wrong password', from)).status);
      }
      return statuses;
    };
    return { ...identity, email, password, code, signIn, deviceOf, guess, headersOf };
  }

  t.test('wrong passwords from other networks lock nobody out', async (t) => {
    const { signIn } = await setUp(t);
    for (let tried = 0; tried < 12; tried += 1) await signIn(ADMIN.email, 'wrong password', '203.0.113.9');
    const refused = await signIn(ADMIN.email, ADMIN.password, '203.0.113.9');
    t.equal(refused.status, 429, 'the guesser must wait, even with the correct password');
    t.equal(refused.headers['retry-after'], '2');
    t.equal((await signIn(ADMIN.email, ADMIN.password)).status, 200, 'the administrator does not');
  });

  t.test('a known device is delayed by its own wrong passwords only', async (t) => {
    const { email, password, code, signIn, deviceOf, clock } = await setUp(t);
    const device = await deviceOf(code);
    for (let tried = 0; tried < 12; tried += 1) await signIn(email, 'wrong password');
    for (let tried = 0; tried < 40; tried += 1) await signIn(`nobody${tried}@example.org`, 'wrong password');
    t.equal((await signIn(email, password)).status, 429, 'the network and the account have to wait');
    const known = await signIn(email, password, HOME, device);
    t.equal(known.status, 200, 'the device does not');
    const renewed = await deviceOf(known, device);
    t.not(renewed, device);
    for (let tried = 0; tried < 5; tried += 1) {
      t.equal((await signIn(email, 'wrong password', HOME, renewed)).status, 401);
    }
    const refused = await signIn(email, password, '203.0.113.4', renewed);
    t.equal(refused.status, 429, 'its own wrong ones count wherever it is');
    t.equal(refused.headers['retry-after'], '2');
    t.equal(
      (await signIn(email, password, '203.0.113.4', device)).status,
      429,
      'they count together for all tokens of the device',
    );
    clock.now += 2000;
    t.equal((await signIn(email, password, HOME, renewed)).status, 200);
  });

  t.test('a device is known for its own account, for a year, and other tokens are rejected', async (t) => {
    const { app, email, password, code, signIn, deviceOf, clock } = await setUp(t);
    const device = await deviceOf(code);
    const other = await deviceOf((await signUp(app)).code);
    for (let tried = 0; tried < 6; tried += 1) await signIn(email, 'wrong password');
    for (const devices of [
      other,
      '',
      'x',
      `${device}x`,
      device.slice(1),
      ` ${other} , x`,
      'x'.repeat(5000),
    ]) {
      t.equal((await signIn(email, password, HOME, devices)).status, 429, devices.slice(0, 20));
    }
    t.equal((await signIn(email, password, HOME, `${other},${device}`)).status, 200, 'of several any');
    clock.now += 366 * DAY;
    for (let tried = 0; tried < 6; tried += 1) await signIn(email, 'wrong password');
    t.equal((await signIn(email, password, HOME, device)).status, 429, 'no longer after a year');
  });

  t.test('a new password makes known devices unknown', async (t) => {
    const { app, email, password, code, signIn, deviceOf, clock } = await setUp(t);
    const { body } = await ask(app, EXCHANGE + code);
    const device = String(body.data.device_token);
    clock.now += 1000;
    const changed = await ask(app, 'PUT /user/account/password', {
      bearer: String(body.data.access_token),
      body: { current_password: password, password: 'nine-quiet-lanterns' },
    });
    t.equal(changed.status, 200);
    for (let tried = 0; tried < 6; tried += 1) await signIn(email, 'wrong password');
    t.equal((await signIn(email, 'nine-quiet-lanterns', HOME, device)).status, 429);
    clock.now += HOUR;
    const again = await deviceOf(await signIn(email, 'nine-quiet-lanterns'));
    for (let tried = 0; tried < 6; tried += 1) await signIn(email, 'wrong password');
    t.equal((await signIn(email, 'nine-quiet-lanterns', HOME, again)).status, 200);
  });

  t.test('the code of a session does not make a device known', async (t) => {
    const { app, code } = await setUp(t);
    const { body } = await ask(app, EXCHANGE + code);
    const made = await ask(app, 'GET /user/login/code', { bearer: String(body.data.access_token) });
    const second = await ask(app, `GET /user/login/code/user?code=${String(made.body.data.code)}`);
    t.equal(second.status, 200);
    t.notHas(second.body.data, { device_token: String });
  });

  t.test('guesses from many networks are limited for each account, existing or not', async (t) => {
    const { email, password, code, signIn, deviceOf, guess, clock } = await setUp(t);
    const device = await deviceOf(code);
    t.equal((await signIn(email, password, '192.0.2.50')).status, 200);
    for (const account of [email, 'nobody@example.org']) {
      const statuses = await guess(account, 110, account === email ? 1 : 2);
      t.equal(statuses.filter((status) => status === 401).length, 100, account);
      t.equal(statuses.filter((status) => status === 429).length, 10, account);
    }
    t.equal(
      (await signIn(email, password, '203.0.113.77')).status,
      429,
      'an unknown device in an unknown network must wait',
    );
    t.equal(
      (await signIn(email, password, '192.0.2.50')).status,
      200,
      'a network it signed in from does not',
    );
    t.equal((await signIn(email, password, '203.0.113.77', device)).status, 200, 'nor does a known device');
    let guesses = 0;
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      clock.now += 5 * 60 * 1000;
      const [status] = await guess('nobody@example.org', 1, 3 + (minute % 200));
      if (status === 401) guesses += 1;
    }
    t.ok(guesses < 110, `${guesses} a day`);
  });
});

t.test('what nobody could check', async (t) => {
  /** Nothing listens there. */
  const DIRECTORY = {
    method: 'ldap',
    url: 'ldap://127.0.0.1:1',
    allow_plain: true,
    base_dn: 'dc=example',
  } as const;
  const { app, db } = await testIdentity(t, { methods: [{ method: 'local' }, DIRECTORY] });
  const person = await signUp(app);
  const { access, userId } = await exchange(app, person.code);
  const signIn = (account: string, password: string) =>
    ask(app, 'POST /user/page/sign_in', { body: { account, password, redirect_uri: CALLBACK } });
  const counted = async () => {
    const rows = await db.selectFrom('attempt').select('attempts').execute();
    return rows.map(({ attempts }) => attempts).filter((attempts) => attempts > 0);
  };
  const UNAVAILABLE = [503, 'SERVICE_UNAVAILABLE'];
  t.beforeEach(async () => {
    await db.deleteFrom('attempt').execute();
  });

  t.test('a directory that does not answer uses up no try', async (t) => {
    for (let n = 0; n < 40; n += 1) {
      const { status, body } = await signIn('ada@directory.example', 'right there');
      t.strictSame([status, body.code], UNAVAILABLE);
    }
    t.strictSame(await counted(), []);
  });

  t.test('a wrong password of an account here counts meanwhile', async (t) => {
    for (let n = 0; n < 5; n += 1) {
      const { status, body } = await signIn(person.email, 'wrong password');
      t.strictSame([status, body.code], UNAVAILABLE, 'it may be right there');
    }
    t.equal((await signIn(person.email, 'wrong password')).status, 429);
    t.strictSame(await counted(), [5, 5]);
  });

  t.test('nor does a code that the service cannot check, as its key is lost', async (t) => {
    const sealed = { sealed_secret: 'sealed with a lost key', last_step: 0, created_at: new Date() };
    await db
      .insertInto('second_factor')
      .values({ user_id: userId, ...sealed })
      .execute();
    const body = { code: '123456' };
    for (let n = 0; n < 10; n += 1) {
      const { status, body: answer } = await ask(app, 'POST /user/account-export', { bearer: access, body });
      t.strictSame([status, answer.code], UNAVAILABLE);
    }
    t.strictSame(await counted(), []);
  });
});
