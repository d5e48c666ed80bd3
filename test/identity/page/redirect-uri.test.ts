import t from 'tap';
import { ADMIN, ask, testIdentity } from '../../support/identity.ts';

const { app, db } = await testIdentity(t);

function signIn(redirect_uri: string) {
  return ask(app, 'POST /user/page/sign_in', {
    body: { account: ADMIN.email, password: ADMIN.password, redirect_uri },
  });
}

const FOREIGN = [
  'https://evil.example/api/auth/callback',
  'http://square.example/api/auth/callback',
  'https://square.example',
  'https://square.example.evil.example/',
  'https://square.example:444/',
  'https://square.example:443/',
  'https://square.example@evil.example/',
  'https://user@square.example/',
  'https://user:secret@square.example/',
  'https://evil.example/https://square.example/',
  'https://evil.example#https://square.example/',
  'https://square.example\\@evil.example/',
  'https:\\\\square.example/',
  'https://square.example\\.evil.example/',
  'https://square.example/\\evil.example',
  '//square.example/api/auth/callback',
  '//evil.example/',
  '/api/auth/callback',
  '\\/evil.example/',
  'api/auth/callback',
  'javascript:alert(1)//https://square.example/',
  'data:text/html,<script>alert(1)</script>',
  ' https://square.example/',
  'https://square.example/ ',
  'https://square.example/\r\nSet-Cookie: a=b',
  'https://square.example/\t',
  'ht\ntps://square.example/',
  'https://square.example/#fragment',
  'https://square.example/?next=1#',
  'HTTPS://square.example/',
  'https://SQUARE.example/',
  'https://square%2eexample/',
  'https://square。example/',
  'https://square.example./',
  'https://sub.square.example/',
  'https:square.example/',
  'https:///square.example/',
  'https://square.example/ü',
  'https://[square.example/',
];

t.test("no address to return to: 'redirect_url is empty'", async (t) => {
  const { email: account, password } = ADMIN;
  for (const [call, body] of [
    ['POST /user/page/sign_in', { account, password }],
    ['POST /user/page/sign_in', { account, password, redirect_uri: '' }],
    ['POST /user/page/sign_up', { email: 'new@example.com', nick_name: 'New', password, redirect_uri: '' }],
    ['POST /user/page/sso', { source: 'local' }],
  ] as const) {
    t.hasStrict(await ask(app, call, { body }), {
      status: 400,
      body: { code: 'REDIRECT_URI_EMPTY', message: 'redirect_url is empty' },
    });
  }
});

t.test('only addresses of the site are accepted', async (t) => {
  for (const uri of FOREIGN) {
    const answer = await signIn(uri);
    t.equal(answer.status, 400, JSON.stringify(uri));
    t.strictSame(answer.body, {
      code: 'REDIRECT_URI_REFUSED',
      message: 'The redirect_uri does not belong to this site.',
    });
  }
  const { count } = await db
    .selectFrom('authorization_code')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  t.equal(Number(count), 0, 'no code was issued');
});

t.test('every path of the site is accepted, and the result stays on the site', async (t) => {
  for (const uri of [
    'https://square.example/api/auth/callback?nonce=a-b_c',
    'https://square.example/plugins/',
    'https://square.example//evil.example/',
    'https://square.example/../..//evil.example',
    'https://square.example/?next=https://evil.example/',
    'https://square.example/%0d%0aSet-Cookie:a=b',
    'https://square.example/@evil.example',
  ]) {
    const answer = await signIn(uri);
    t.equal(answer.status, 200, uri);
    const target = String(answer.body.data.continue_to);
    t.ok(target.startsWith('https://square.example/'), target);
    t.equal(new URL(target).origin, 'https://square.example');
  }
});

t.test('sign-up is equally strict', async (t) => {
  const body = { email: 'a@example.org', nick_name: 'A', password: 'violet-umbrella-tram' };
  const answer = await ask(app, 'POST /user/page/sign_up', {
    body: { ...body, redirect_uri: 'https://evil.example/' },
  });
  t.equal(answer.body.code, 'REDIRECT_URI_REFUSED');
  t.notOk(await db.selectFrom('account').selectAll().where('email', '=', body.email).executeTakeFirst());
});

t.test('a site with a port returns to that port only', async (t) => {
  const local = await testIdentity(t, { publicUrl: 'http://localhost:8080' });
  const body = { account: ADMIN.email, password: ADMIN.password };
  const statusOf = async (redirect_uri: string) =>
    (await ask(local.app, 'POST /user/page/sign_in', { body: { ...body, redirect_uri } })).status;
  t.equal(await statusOf('http://localhost:8080/api/auth/callback?nonce=1'), 200);
  t.equal(await statusOf('http://localhost:80801/'), 400);
  t.equal(await statusOf('http://localhost/'), 400);
  t.equal(await statusOf('http://127.0.0.1:8080/'), 400);
});
