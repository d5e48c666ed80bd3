import t from 'tap';
import type { Boot } from '../../shared/boot.ts';
import { LANGUAGES } from '../../shared/languages.ts';
import { leanAnswers } from '../../web/lean-answers.ts';
import { answered, pluginAt, pluginDetailOf } from './support/answers.ts';
import { bootFor } from './support/boot.ts';
import { builtWeb } from './support/build.ts';

const HOME = '/plugins/';
const first = pluginAt(0);
const DETAIL = `/plugins/plugin/${first.plugin_key}`;
const MISSING = '/plugins/plugin/missing-plugin';
const LOGIN =
  '/user/login?redirect_uri=https%3A%2F%2Fsquare.example%2Fapi%2Fauth%2Fcallback&response_type=code';

function bootOf(html: string): Boot {
  return JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
}

t.test('pages rendered on the server', async (t) => {
  const { entry } = await builtWeb(t);
  const page = (url: string, changes: Partial<Boot> = {}) => entry.render(url, bootFor(entry, url, changes));

  t.test('say what they need', async (t) => {
    const operations = (url: string) => entry.queries(url).map(({ operation }) => operation);
    t.ok(operations(HOME).includes('listPlugins'));
    t.ok(operations(HOME).includes('listTags'));
    t.match(
      entry.queries(DETAIL).find(({ operation }) => operation === 'readPlugin'),
      { payload: { plugin_key: first.plugin_key } },
    );
    t.strictSame(operations(LOGIN), ['readSignInOptions']);
    for (const url of ['/plugins/403', '/plugins/nowhere', '/user/login', '/', '//evil.example/plugins/']) {
      t.strictSame(operations(url), [], url);
    }
  });

  t.test('the backstage says its name once', async (t) => {
    const titleOf = async (url: string) => /<title>(.*?)<\/title>/.exec((await page(url)).html)?.[1];
    t.equal(await titleOf('/plugins/backstage-index'), 'Backstage · Plugin Square');
    t.equal(await titleOf('/plugins/backstage-index/nothing'), 'Backstage · Plugin Square');
    t.match(await titleOf('/plugins/backstage-index/audit-list'), /^Plugin review · Backstage · /);
  });

  t.test('depend on those parameters of the address that they read, in one spelling', async (t) => {
    for (const [asked, expected] of [
      ['/plugins/?x=1', '/plugins/'],
      ['/plugins/?sort=1&x=1&keyword=%20a%20b', '/plugins/?keyword=a+b&sort=1'],
      ['/plugins/?sort=0&tag_id=x&keyword=+', '/plugins/'],
      ['/plugins/?keyword=a&keyword=b', '/plugins/?keyword=a'],
      ['/plugins/?oauth2=1&code=c', '/plugins/'],
      ['/plugins/?embed=chat&x=1&lang=ru&client=desktop', '/plugins/?lang=ru&client=desktop&embed=chat'],
      [`${DETAIL}?keyword=a&lang=ja`, `${DETAIL}?lang=ja`],
      [
        '/plugins/protocol?plugin_key=x&login_error=CODE_INVALID',
        '/plugins/protocol?login_error=CODE_INVALID',
      ],
      ['/plugins/nowhere?keyword=a', '/plugins/nowhere'],
      [
        '/user/login?x=1&page=sign_up&redirect_uri=%2Fa%3Fb%3D1&ux_mode=popup',
        '/user/login?redirect_uri=%2Fa%3Fb%3D1&ux_mode=popup&page=sign_up',
      ],
      ['/user/login/bind?x=1&mainUrl=%2F&id=i', '/user/login/bind?id=i&mainUrl=%2F'],
      ['//evil.example/plugins/?x=1', '//evil.example/plugins/'],
      ['/plugins/?constructor=1&__proto__=2', '/plugins/'],
    ] as const) {
      t.equal(entry.target(asked), expected, asked);
      t.equal(entry.target(expected), expected, 'which stays what it is');
      const unknown = `${asked}&zzz=zzz`;
      t.notMatch((await page(entry.target(unknown))).html, 'zzz', asked);
    }
  });

  t.test('are whole documents in the language and theme of the visitor', async (t) => {
    for (const language of LANGUAGES) {
      const { status, html } = await page(HOME, { language, theme: 'dark' });
      t.equal(status, 200);
      t.match(html, `<html lang="${language}" data-theme="dark">`);
      t.match(html, /<title>[^<]+<\/title>/);
      t.match(html, first.name, 'the list is in it');
      t.notMatch(html, /\b(home|site|list|plugin|session)\.[a-z_]+\b(?=<)/, 'no text is missing');
    }
  });

  t.test('begin with their content, for those who read them in order', async (t) => {
    t.match((await page(HOME)).html, /<div id="root"><a [^>]*href="#main"/);
  });

  t.test('carry what came with them, to be found again', async (t) => {
    const { html } = await page(HOME);
    const boot = bootFor(entry, HOME);
    t.strictSame(bootOf(html), { ...boot, answered: leanAnswers(boot.answered) });
  });

  t.test('of a plugin can be shared', async (t) => {
    const { status, html } = await page(DETAIL);
    t.equal(status, 200);
    t.match(html, `<link rel="canonical" href="https://square.example${DETAIL}">`);
    t.match(html, /<meta property="og:title" content="Grid Maker 1/);
    t.match(html, `<meta property="og:url" content="https://square.example${DETAIL}">`);
    t.match(html, /<meta name="description" content="[^"]+">/);
    t.notMatch(html, 'noindex');
  });

  t.test('that are not there are 404, and not for search engines', async (t) => {
    for (const url of ['/plugins/nowhere', '/plugins/plugin', '/plugins/403/x', MISSING]) {
      const { status, html } = await page(url);
      t.equal(status, 404, url);
      t.match(html, '<meta name="robots" content="noindex">', url);
      t.notMatch(html, 'rel="canonical"', url);
    }
  });

  t.test('without permission say so', async (t) => {
    const { status, html } = await page('/plugins/403');
    t.equal(status, 403);
    t.match(html, 'The current account has no permission.');
    t.match(html, 'You do not have permission to access this page');
    t.match(html, /<a [^>]*href="\/plugins\/"[^>]*>Back to home/);
  });

  t.test('whose data failed offer to try again', async (t) => {
    const failed = entry
      .queries(HOME)
      .map((need) => ({ ...need, ok: false as const, status: 502, code: 'UPSTREAM_UNAVAILABLE' as const }));
    const { status, html } = await page(HOME, { answered: failed });
    t.equal(status, 200);
    t.match(html, 'role="alert"');
  });

  t.test('that break in a section are not sent', async (t) => {
    const broken = entry.queries(HOME).map((need) => ({ ...need, ok: true as const, data: {} }));
    await t.rejects(page(HOME, { answered: broken }), TypeError);
  });

  t.test('whose data is late show where it will be', async (t) => {
    const { status, html } = await page(HOME, { answered: [] });
    t.equal(status, 200);
    t.notMatch(html, 'role="alert"');
  });

  t.test(
    'show sign-in to visitors, a name to who is signed in, and neither when it is unknown',
    async (t) => {
      const user = { ...USER, nick_name: 'Мария' };
      const session = { signed_in: true, user, role: 0 as const, login_method: null, expires_at: null };
      const anonymous = (await page(HOME)).html;
      t.match(anonymous, `href="/api/auth/login?return_to=%2Fplugins%2F&amp;ux_mode=redirect"`);
      const signedIn = (await page(HOME, { session })).html;
      t.match(signedIn, 'Account menu of Мария');
      t.notMatch(signedIn, 'href="/api/auth/login');
      const unknown = (await page(HOME, { session: null })).html;
      t.notMatch(unknown, 'href="/api/auth/login');
      t.notMatch(unknown, 'Account menu');
    },
  );

  t.test('offer no language menu where there is one language', async (t) => {
    t.match((await page(HOME)).html, 'aria-label="Choose language');
    t.notMatch((await page(HOME, { languages: ['en-US'] })).html, 'Choose language');
  });

  t.test('to sign in show a form only when they know where to return to', async (t) => {
    const known = await page(LOGIN);
    t.equal(known.status, 200);
    t.match(known.html, 'autoComplete="current-password"');
    t.match(known.html, /<form[^>]* method="post"/, 'a password never becomes part of an address');
    const signUp = (await page(`${LOGIN}&page=sign_up`)).html;
    t.match(signUp, 'autoComplete="new-password"');
    const lost = await page('/user/login');
    t.equal(lost.status, 200);
    t.notMatch(lost.html, '<form');
    t.match(lost.html, 'href="/api/auth/login?return_to=%2Fplugins%2F&amp;ux_mode=redirect"');
  });

  t.test('hold hostile texts as text', async (t) => {
    const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'\u2028\u2029<!--`;
    const card = { ...first, name: evil, intro: evil, publisher: { ...first.publisher, nick_name: evil } };
    const answers = entry.queries(DETAIL).map((need) =>
      need.operation === 'readPlugin'
        ? {
            ...need,
            ok: true as const,
            data: { ...pluginDetailOf(card), description: evil, support: evil },
          }
        : answered(need),
    );
    const { html } = await page(DETAIL, { answered: answers });
    t.notMatch(html, '<script>alert');
    t.notMatch(html, '<img src=x');
    t.notMatch(html, /[\u2028\u2029](?=[^<]*<\/script>)/);
    const boot = /id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    t.notMatch(boot, /[<>\u2028\u2029]/);
    const detail = bootOf(html).answered.find(({ operation }) => operation === 'readPlugin');
    t.match(detail, { data: { name: evil } }, 'unharmed after reading');
    t.notMatch(html, /href="javascript:/i);
  });

  t.test('survive hostile addresses', async (t) => {
    const query = `${HOME}?keyword=%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&tag=%00&sort=9`;
    t.notMatch((await page(query)).html, '<script>alert');
    for (const url of ['/plugins/%E0%A4%A', '/plugins/plugin/%00', `/plugins/${'a'.repeat(5000)}`]) {
      t.equal((await page(url)).status, 404, url.slice(0, 40));
    }
  });
});

const USER = {
  user_id: 7,
  user_name: 'mei',
  nick_name: 'Mei',
  email: 'mei@example.com',
  mobile: '',
  sex: 0,
  birthday: '',
  channel: '',
  tencent_docs: false,
  avatar_url: '',
  created_at: '',
  department: '',
  e_id: 0,
  is_administrator: false,
  is_owner: false,
  staff_status: 0,
  account_id: 0,
  identification: '',
};
