import t from 'tap';
import { ROLE_SUPER_ADMIN } from '../../shared/constants.ts';
import { contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { badCallsOf, complaintOf } from '../support/bad-texts.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  EXCHANGE,
  exchange,
  newPerson,
  renewTokens,
  signUp,
  testIdentity,
} from '../support/identity.ts';
import { GATEWAY_TO_IDENTITY } from '../support/service-keys.ts';
import { TOOL } from '../support/tool.ts';

t.test('bad input', async (t) => {
  const { app, logged } = await testIdentity(t);
  const { access } = await newPerson(app);
  const GOOD = { account: ADMIN.email, password: ADMIN.password, redirect_uri: CALLBACK };

  t.test('bodies of the wrong type are rejected with a code', async (t) => {
    const cases: [string, unknown, string][] = [
      ['POST /user/page/sign_in', '', 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', '{', 'MALFORMED_BODY'],
      ['POST /user/page/sign_in', '{"__proto__":{"a":1}}', 'MALFORMED_BODY'],
      ['POST /user/page/sign_in', '['.repeat(60_000), 'BODY_TOO_DEEP'],
      ['POST /user/page/sign_in', `{"a":${'[{"b":'.repeat(20)}1`, 'BODY_TOO_DEEP'],
      ['POST /3rd-party/oauth2/x/auth', '{"a":'.repeat(12_000), 'BODY_TOO_DEEP'],
      ['POST /user/page/sign_in', 'null', 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', [], 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', {}, 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', { ...GOOD, account: '' }, 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', { ...GOOD, account: 7 }, 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', { ...GOOD, account: 'x'.repeat(255) }, 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', { ...GOOD, password: null }, 'VALIDATION_FAILED'],
      ['POST /user/page/sign_in', { ...GOOD, redirect_uri: undefined }, 'REDIRECT_URI_EMPTY'],
      ['POST /user/page/sign_in', { ...GOOD, redirect_uri: [CALLBACK] }, 'VALIDATION_FAILED'],
      ['POST /user/oauth2/login', '', 'VALIDATION_FAILED'],
      ['POST /user/oauth2/login', { code: 'x' }, 'VALIDATION_FAILED'],
      ['POST /user/oauth2/login', { app: 'x' }, 'VALIDATION_FAILED'],
      ['POST /user/oauth2/login', { app: 'x', code: '' }, 'VALIDATION_FAILED'],
      ['POST /user/oauth2/login', { app: 'x', code: 7 }, 'VALIDATION_FAILED'],
      ['GET /user/login/code/user', undefined, 'VALIDATION_FAILED'],
      ['GET /user/login/code/user?code=', undefined, 'VALIDATION_FAILED'],
      [`GET /user/login/code/user?code=${'x'.repeat(2049)}`, undefined, 'VALIDATION_FAILED'],
      ['GET /user/login/code/user?code=a&code=b', undefined, 'VALIDATION_FAILED'],
      ['POST /user/reset_token', {}, 'VALIDATION_FAILED'],
      ['POST /user/reset_token', { e_id: '1' }, 'VALIDATION_FAILED'],
      ['POST /user/reset_token', { e_id: 1.5 }, 'VALIDATION_FAILED'],
      ['POST /user/reset_token', { e_id: 0 }, 'VALIDATION_FAILED'],
      ['POST /user/reset_token', { e_id: 1e300 }, 'VALIDATION_FAILED'],
      ['POST /3rd-party/bind', 'x', 'MALFORMED_BODY'],
      ['POST /3rd-party/bind', [], 'VALIDATION_FAILED'],
      ['POST /3rd-party/oauth2/tencent/auth', '', 'VALIDATION_FAILED'],
      ['POST /3rd-party/oauth2/a%2Fb/auth', {}, 'VALIDATION_FAILED'],
      [`POST /3rd-party/oauth2/${'x'.repeat(65)}/auth`, {}, 'VALIDATION_FAILED'],
      ['GET /config/private/standard/%00', undefined, 'VALIDATION_FAILED'],
      ['GET /config/private/standard/a%20b', undefined, 'VALIDATION_FAILED'],
    ];
    for (const [call, body, code] of cases) {
      const isOpen = /\/page\/|oauth2|code\/user/.test(call);
      const answer = await ask(app, call, { body, ...(!isOpen && { bearer: access }) });
      t.equal(answer.status, 400, `${call.slice(0, 60)} ${JSON.stringify(body)?.slice(0, 40)}`);
      t.equal(answer.body.code, code);
      t.type(answer.body.message, 'string');
    }
  });

  t.test('other content types, too large bodies and unknown paths are rejected', async (t) => {
    const form = await ask(app, 'POST /user/page/sign_in', {
      body: 'account=a',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    t.equal(form.status, 415);
    t.equal(form.body.code, 'UNSUPPORTED_MEDIA_TYPE');
    const large = await ask(app, 'POST /user/page/sign_in', { body: { ...GOOD, more: 'x'.repeat(65_536) } });
    t.equal(large.status, 413);
    t.equal(large.body.code, 'BODY_TOO_LARGE');
    for (const call of ['GET /user', 'GET /user/page/sign_in', 'POST /user/valid', 'GET /user/logout']) {
      const unknown = await ask(app, call);
      t.equal(unknown.status, 404, call);
      t.equal(unknown.body.code, 'NOT_FOUND');
    }
  });

  t.test('a deployment without identity providers has no SSO routes', async (t) => {
    const body = { code: 'c', state: 's', verifier: 'v'.repeat(43) };
    const answer = await ask(app, 'POST /3rd-party/oauth2/tencent_docs/auth', { body });
    t.equal(answer.status, 404);
    t.strictSame(answer.body, { code: 'NOT_FOUND', message: 'Nothing was found here.' });
    const config = await ask(app, 'GET /config/private/standard/1', { bearer: access });
    t.strictSame(config.body, { code: 0, message: 'ok', data: {} });
  });

  t.test('an unknown bind cannot be completed', async (t) => {
    const bind = (body: unknown) => ask(app, 'POST /3rd-party/bind', { bearer: access, body });
    for (const id of ['x', '../..', 'x'.repeat(200)]) {
      const answer = await bind({ id });
      t.equal(answer.status, 403);
      t.strictSame(answer.body, {
        code: 'BIND_REFUSED',
        message: 'This sign-in belongs to another account.',
      });
    }
    for (const body of [{}, { id: '' }, { id: 1 }, { id: '\u0000' }, { id: 'x'.repeat(201) }]) {
      t.equal((await bind(body)).status, 400);
    }
  });

  t.test('none of these requests caused an internal error', (t) => {
    t.notMatch(logged(), '"code":"INTERNAL"');
    t.end();
  });
});

t.test('R 10.28: no text of any call is an internal error', async (t) => {
  const { app, db } = await testIdentity(t, { oauthClients: [TOOL] });
  const { code, password } = await signUp(app);
  const { access, userId } = await exchange(app, code);
  await db.updateTable('account').set({ role: ROLE_SUPER_ADMIN }).where('user_id', '=', userId).execute();
  const known = { redirect_uri: CALLBACK, password, email: 'new@example.com' };
  const wrong: string[] = [];
  let calls = 0;
  for (const route of Object.values<Route>(contract).filter(({ service }) => service === 'identity')) {
    for (const call of badCallsOf(route, known)) {
      calls += 1;
      await db.deleteFrom('attempt').execute();
      const { statusCode, body } = await app.inject({
        method: call.method,
        url: call.url,
        headers: {
          'content-type': 'application/json',
          authorization: route.access === 'all' ? GATEWAY_TO_IDENTITY : `Bearer ${access}`,
        },
        payload: JSON.stringify(call.body ?? {}),
      });
      wrong.push(...complaintOf(call, statusCode, body));
    }
  }
  t.strictSame(wrong, []);
  t.ok(calls > 150, String(calls));
});

t.test('no secret in logs', async (t) => {
  t.test('the log never contains a password, code, token, address or e-mail', async (t) => {
    const { app, db, logged } = await testIdentity(t);
    const person = await signUp(app, { email: 'secretive@example.org' });
    const from = { 'x-forwarded-for': '198.51.100.77' };
    const body = { account: person.email, password: person.password, redirect_uri: CALLBACK };
    await ask(app, 'POST /user/page/sign_in', { body, headers: from });
    await ask(app, 'POST /user/page/sign_in', {
      body: { ...body, password: 'mistyped-secret' },
      headers: from,
    });
    await ask(app, 'POST /user/page/sign_up', { body: { ...body, email: person.email, nick_name: 'S' } });
    await ask(app, 'POST /user/page/sign_in', { body: { ...body, account: 7 } });
    const tokens = await exchange(app, person.code);
    await renewTokens(app, tokens.refresh);
    await ask(app, `${EXCHANGE}${person.code}`);
    await renewTokens(app, tokens.refresh);
    await ask(app, 'POST /user/logout', { bearer: tokens.refresh });
    await ask(app, 'GET /user/userinfo', { bearer: `${tokens.access}x` });
    // Internal errors are logged with their cause, which must not contain client input.
    await db.schema.dropTable('authorization_code').execute();
    const broken = await ask(app, `${EXCHANGE}${person.code}`);
    t.equal(broken.status, 500);
    t.strictSame(broken.body, { code: 'INTERNAL', message: 'Something went wrong on our side.' });
    const again = await ask(app, 'POST /user/page/sign_in', { body, headers: from });
    t.equal(again.status, 500);

    const text = logged();
    t.match(text, '"msg":"signed in"');
    t.match(text, '"msg":"request failed"');
    const secrets = [
      person.password,
      'mistyped-secret',
      ADMIN.password,
      person.code,
      tokens.access,
      tokens.refresh,
    ];
    for (const secret of [...secrets, person.email, '198.51.100.77', 'argon2id']) {
      t.notOk(text.includes(secret), secret.slice(0, 12));
    }
  });
});
