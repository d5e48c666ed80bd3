import t from 'tap';
import { ADMIN, ask, CALLBACK, EXCHANGE, exchange, signUp, testIdentity } from '../support/identity.ts';

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
  await ask(app, 'POST /user/refresh_token', { bearer: tokens.refresh });
  await ask(app, `${EXCHANGE}${person.code}`);
  await ask(app, 'POST /user/refresh_token', { bearer: tokens.refresh });
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
