import { sql } from 'kysely';
import t from 'tap';
import type { Browser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';

const COOKIE = '__Host-Http-devices';
const YEAR = 365 * 24 * 60 * 60;

/** A browser with only the device cookie of another one. */
function copyOf({ cookies }: Browser, value = cookies.get(COOKIE) ?? ''): Map<string, string> {
  return new Map([[COOKIE, value]]);
}

t.test('a known browser is not delayed by failed attempts of others', async (t) => {
  const { gateway, db, signedIn, typeIn, newPerson } = await startBoth(t);
  const { email, password } = await newPerson();
  const known = await signedIn(email, password);
  t.ok(known.cookies.has(COOKIE));
  const stranger = gateway.browser();
  for (let tried = 0; tried < 5; tried += 1) {
    t.equal((await typeIn(stranger, email, 'wrong password')).status, 401);
  }
  await sql`update attempt set blocked_until = now() + interval '1 hour'`.execute(db);
  t.equal((await typeIn(stranger, email, password)).status, 429);
  t.equal(
    (await typeIn(gateway.browser(), email, password)).status,
    429,
    'a browser without the cookie waits too',
  );
  known.cookies.delete('__Host-Http-session');
  t.equal((await typeIn(known, email, password)).status, 200);
  for (const cookies of [copyOf(known), copyOf(known, `${known.cookies.get(COOKIE)}x`)]) {
    const browser = gateway.browser();
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const answer = await typeIn(browser, email, password);
    const isIntact = cookies.get(COOKIE) === known.cookies.get(COOKIE);
    t.equal(answer.status, isIntact ? 200 : 429);
    t.equal(browser.cookies.has(COOKIE), isIntact, 'an altered cookie is deleted');
  }
});

t.test('the device cookie is HttpOnly, small and encrypted', async (t) => {
  const { gateway, newPerson, typeIn } = await startBoth(t);
  const browser = gateway.browser();
  for (let person = 0; person < 7; person += 1) {
    const { email, password } = await newPerson();
    const answer = await typeIn(browser, email, password);
    const { pathname, search } = new URL(String(answer.json().data.continue_to));
    const returned = await browser.visit(pathname + search, { site: 'same-origin' });
    const [line = ''] = returned.setCookies.filter((cookie) => cookie.startsWith(`${COOKIE}=`));
    const [pair = '', ...attributes] = line.split('; ');
    t.strictSame(
      attributes.sort(),
      ['HttpOnly', `Max-Age=${YEAR}`, 'Path=/', 'SameSite=Strict', 'Secure'],
      'attributes',
    );
    t.match(pair, /^__Host-Http-devices=[\w-]+\.[\w-]+$/);
    t.ok(line.length <= 3800, `${line.length} bytes for ${person + 1} users`);
    t.notMatch(answer.text + returned.text, 'device_token');
  }
});

t.test('a client cannot send the device header itself', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: 'https://square.example' } });
  gateway.identity.on('POST /user/page/sign_in', () => ({ continue_to: null, challenge: null }));
  const browser = gateway.browser();
  const body = JSON.stringify({ account: 'a', password: 'b', redirect_uri: 'https://square.example/' });
  const headers = { 'x-known-devices': 'forged' };
  t.equal((await browser.call('/user/page/sign_in', { method: 'POST', body, headers })).status, 200);
  t.strictSame(
    gateway.identity.seen('POST /user/page/sign_in').map(({ headers }) => headers['x-known-devices']),
    [undefined],
  );
});
