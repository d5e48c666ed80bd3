import t from 'tap';
import {
  ADMIN,
  type Answer,
  ask,
  CALLBACK,
  codeIn,
  EXCHANGE,
  signUp,
  testIdentity,
} from '../../support/identity.ts';

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
  for (const devices of [other, '', 'x', `${device}x`, device.slice(1), ` ${other} , x`, 'x'.repeat(5000)]) {
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
  t.equal((await signIn(email, password, '192.0.2.50')).status, 200, 'a network it signed in from does not');
  t.equal((await signIn(email, password, '203.0.113.77', device)).status, 200, 'nor does a known device');
  let guesses = 0;
  for (let minute = 0; minute < 24 * 60; minute += 5) {
    clock.now += 5 * 60 * 1000;
    const [status] = await guess('nobody@example.org', 1, 3 + (minute % 200));
    if (status === 401) guesses += 1;
  }
  t.ok(guesses < 110, `${guesses} a day`);
});
