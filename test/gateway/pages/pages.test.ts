import t from 'tap';
import type { Received } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

t.test('pages', async (t) => {
  /** The boot data in a page of the fixture. */
  function bootOf(page: Received): Record<string, unknown> {
    return JSON.parse(
      /<script type="application\/json" id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}',
    );
  }

  async function withList(t: Parameters<typeof startGateway>[0], settings: Record<string, string> = {}) {
    const gateway = await startGateway(t, { settings });
    gateway.community.on('GET /api/cmt/plugin/list', ({ query, headers }) => ({
      plugin_list: [
        {
          plugin_key: 'asked-by',
          name: `sort ${query.get('sort')}`,
          intro: headers['accept-language'],
          is_installed: headers.authorization !== undefined,
        },
      ],
    }));
    return gateway;
  }

  /** The request that the community received, from its list. */
  const askedWith = (told: object) => ({ plugin_list: [told] });

  t.test('a page contains all data of its first view', async (t) => {
    const gateway = await withList(t);
    const before = Date.now();
    const page = await gateway
      .browser()
      .visit('/plugins/?keyword=1&x=1', { headers: { 'accept-language': 'es' } });
    t.equal(page.status, 200);
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    t.match(bootOf(page), {
      url: '/plugins/?keyword=1',
      language: 'es-ES',
      languages: ['zh-CN', 'en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES'],
      theme: 'system',
      deploy_type: 'domestic',
      public_url: 'http://localhost:8080',
      session: { signed_in: false, user: null, role: null },
      answered: [
        {
          operation: 'listPlugins',
          payload: { sort: 1 },
          ok: true,
          data: askedWith({ name: 'sort 1', intro: 'es-ES', is_installed: false }),
        },
      ],
    });
    const now = Number(bootOf(page).now);
    t.equal(now % 60_000, 0, 'to the minute');
    t.ok(before - 60_000 < now && now <= Date.now());
  });

  t.test('a page with a session has the user’s data, no token, and is not shared', async (t) => {
    const gateway = await withList(t);
    const browser = gateway.browser();
    const before = await browser.visit('/plugins/');
    t.equal(before.headers['cache-control'], 'no-cache');
    await browser.signIn();
    const page = await browser.visit('/plugins/');
    t.equal(page.headers['cache-control'], 'no-store');
    t.match(bootOf(page), {
      session: { signed_in: true, user: { nick_name: 'Ada' }, role: 0 },
      answered: [{ ok: true, data: askedWith({ is_installed: true }) }],
    });
    for (const secret of gateway.issued.secrets) t.notOk(page.text.includes(secret));
    t.hasStrict(bootOf(await gateway.browser().visit('/plugins/')), { session: { signed_in: false } });
  });

  t.test('a page opened from another site has no session state', async (t) => {
    const gateway = await withList(t);
    const session = async (site: string) =>
      bootOf(await gateway.browser().visit('/plugins/', { site })).session;
    t.equal(await session('cross-site'), null);
    t.hasStrict(await session('none'), { signed_in: false });
    t.hasStrict(await session('same-origin'), { signed_in: false });
    t.equal(await session('cross-site'), null, 'separate in the cache as well');
    const chosen = gateway.browser();
    chosen.cookies.set('lang', 'en');
    const page = await chosen.visit('/plugins/', { site: 'cross-site' });
    t.equal(bootOf(page).session, null, 'other cookies are sent and prove nothing');
  });

  t.test('language and theme of a page', async (t) => {
    const gateway = await withList(t);
    const browser = gateway.browser();
    t.hasStrict(bootOf(await browser.visit('/plugins/')), { language: 'zh-CN', theme: 'system' });
    browser.cookies.set('lang', 'en');
    browser.cookies.set('theme', 'dark');
    t.hasStrict(bootOf(await browser.visit('/plugins/')), { language: 'en-US', theme: 'dark' });
    browser.cookies.set('lang', '<script>');
    browser.cookies.set('theme', '<script>');
    const page = await browser.visit('/plugins/', { headers: { 'accept-language': 'ko-KR,ko;q=0.9' } });
    t.hasStrict(bootOf(page), { language: 'ko-KR', theme: 'system' });
    t.match(page.headers.vary, 'Cookie, Accept-Language, Accept-Encoding, Sec-Fetch-Site');

    const overseas = await withList(t, { DEPLOY_TYPE: 'overseas' });
    const abroad = overseas.browser();
    abroad.cookies.set('lang', 'zh-CN');
    t.hasStrict(bootOf(await abroad.visit('/plugins/')), { language: 'en-US' }, 'not offered there');
  });

  t.test('pages without a session are cached for seconds, by URL, language and theme', async (t) => {
    let renders = 0;
    const gateway = await startGateway(t, {
      entry: {
        render: async () => {
          renders += 1;
          return { status: 200, html: `${renders} ${'x'.repeat(2000)}` };
        },
      },
    });
    const browser = gateway.browser();
    await Promise.all(Array.from({ length: 20 }, () => browser.visit('/plugins/')));
    t.equal(renders, 1);
    await browser.visit('/plugins/?keyword=1');
    await browser.visit('/plugins/', { headers: { 'accept-language': 'ru' } });
    t.equal(renders, 3);
    const packed = await browser.visit('/plugins/', { headers: { 'accept-encoding': 'br' } });
    t.equal(packed.headers['content-encoding'], 'br');
    const known = await browser.visit('/plugins/', {
      headers: { 'if-none-match': packed.headers.etag ?? '' },
    });
    t.equal(known.status, 304);
    gateway.clock.ahead = 5100;
    await browser.visit('/plugins/');
    await until(() => renders > 3);
    t.equal(renders, 4);
  });

  t.test('R 10.12: the headers of a page', async (t) => {
    const gateway = await startGateway(t, {
      settings: { PUBLIC_URL: 'https://square.example', FRAME_ANCESTORS: "'self' https://chat.example" },
    });
    const { headers } = await gateway.browser().visit('/plugins/');
    t.equal(
      headers['content-security-policy'],
      "default-src 'self'; script-src 'self'; style-src 'self' 'sha256-c3R5bGU='; style-src-attr 'unsafe-inline'; " +
        "img-src 'self' data: blob:; media-src 'self' blob:; frame-src 'self'; frame-ancestors 'self' https://chat.example; " +
        "base-uri 'none'; object-src 'none'; form-action 'self'",
    );
    t.equal(headers['x-content-type-options'], 'nosniff');
    t.equal(headers['cross-origin-opener-policy'], 'same-origin-allow-popups');
    t.equal(headers['referrer-policy'], 'same-origin');
    t.equal(headers['strict-transport-security'], 'max-age=31536000');
    const plain = await startGateway(t);
    t.equal((await plain.browser().visit('/plugins/')).headers['strict-transport-security'], undefined);
    const pictures = await startGateway(t, {
      settings: { PICTURE_ORIGINS: 'https://cdn.example,https://avatars.example:8443' },
    });
    t.match(
      (await pictures.browser().visit('/plugins/')).headers['content-security-policy'],
      "; img-src 'self' data: blob: https://cdn.example https://avatars.example:8443; media-src",
    );
  });

  t.test('a page sets its own status; a rendering error is a plain 500', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    t.equal((await browser.visit('/plugins/nowhere')).status, 404);
    t.equal((await browser.visit('/user/login?ux_mode=redirect&redirect_uri=x')).status, 200);
    t.equal((await browser.visit('/user/login/bind?id=1')).status, 200);
    const broken = await browser.visit('/plugins/broken');
    t.equal(broken.status, 500);
    t.match(broken.headers['content-type'], 'text/html');
    t.notMatch(broken.text, 'purpose');
    t.ok(gateway.lines().some(({ level, msg }) => level === 'error' && msg === 'page rendering failed'));
  });

  t.test('a page renders without its data', async (t) => {
    const gateway = await startGateway(t);
    await gateway.community.stop();
    const down = await gateway.browser().visit('/plugins/');
    t.equal(down.status, 200);
    t.hasStrict(bootOf(down).answered, [
      { operation: 'listPlugins', ok: false, status: 502, code: 'UPSTREAM_UNAVAILABLE' },
    ]);

    const slow = await startGateway(t, { timeouts: { page: 50 } });
    slow.community.on('GET /api/cmt/plugin/list', () => new Promise(() => undefined));
    const late = await slow.browser().visit('/plugins/');
    t.strictSame(bootOf(late).answered, [], 'nor does it wait for a hanging service');
  });

  t.test('redirects to the home page', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const path of ['/', '/plugins']) {
      const answer = await browser.visit(path);
      t.equal(answer.status, 302, path);
      t.equal(answer.headers.location, '/plugins/');
    }
  });

  t.test('an unknown path is a not-found page for browsers and an envelope for others', async (t) => {
    const gateway = await startGateway(t, {
      entry: {
        render: async (url) => ({
          status: 404,
          html: `<!doctype html><p>nothing at ${url.length} characters`,
        }),
      },
    });
    const browser = gateway.browser();
    for (const path of ['/price/', '/elsewhere', '/app?x=1', '/plugins.old', '/apiary', '/a/b/c']) {
      const page = await browser.visit(path);
      const isFile = path === '/plugins.old';
      t.equal(page.status, 404, path);
      t.match(page.headers['content-type'], isFile ? 'application/json' : 'text/html', path);
      if (!isFile) t.match(page.headers['content-security-policy'], "default-src 'self'", path);
    }
    const refused = { code: 'NOT_FOUND', message: 'Nothing was found here.' };
    const told = [
      await browser.visit('/elsewhere', { headers: { accept: '*/*' } }),
      await browser.visit('/elsewhere', { headers: { accept: 'application/json' } }),
      await browser.visit('/picture.png'),
      await browser.visit('/api'),
      await browser.call('/price/', { method: 'POST', body: '{}', headers: { accept: 'text/html' } }),
    ];
    for (const answer of told) {
      t.equal(answer.status, 404);
      t.strictSame(answer.json(), refused);
    }
    t.equal((await browser.visit('/api/nowhere')).json().code, 'CSRF_REFUSED', 'calls get the envelope');
    const code = await browser.visit('/price/?code=abc&x=1');
    t.equal(code.status, 303);
    t.equal(code.headers.location, '/price/?x=1', 'a code is removed here as on every page');
  });

  t.test('an address that cannot be read is a page for browsers and an envelope for others', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const path of [
      '/plugins/%',
      '/plugins/%E0%A4%A',
      '/plugins//',
      '/%',
      '/plugins/a%2fb',
      '/help/%zz',
    ]) {
      const page = await browser.visit(path, { headers: { accept: 'text/html', 'accept-language': 'es' } });
      t.equal(page.status, 400, path);
      t.equal(page.headers['content-type'], 'text/html; charset=utf-8', path);
      t.match(page.headers['content-security-policy'], "default-src 'none'", path);
      t.match(page.headers['x-content-type-options'], 'nosniff', path);
      t.match(page.text, '<html lang="es-ES">');
      t.match(page.text, 'Página no encontrada');
      t.match(page.text, '<a href="/plugins/">Volver al inicio</a>');
      const call = await browser.visit(path, { headers: { accept: '*/*' } });
      t.equal(call.status, 400, path);
      t.strictSame(call.json(), { code: 'BAD_PATH', message: 'The request path is not acceptable.' });
    }
  });

  t.test('a session that the user service rejects is removed from the page', async (t) => {
    const gateway = await withList(t);
    const browser = gateway.browser();
    await browser.signIn();
    gateway.identity.on('POST /user/refresh_token', () => stubAnswer(401, { code: 401 }));
    gateway.clock.ahead = 16 * 60_000;
    const page = await browser.visit('/plugins/');
    t.equal(page.status, 200);
    t.match(bootOf(page), {
      session: { signed_in: false },
      answered: [{ ok: true, data: askedWith({ is_installed: false }) }],
    });
    t.equal(page.headers['cache-control'], 'no-store');
    t.equal(browser.cookies.size, 0);
  });

  t.test(
    'while the user service is down a page has the session, and the browser loads the data',
    async (t) => {
      const gateway = await withList(t);
      const browser = gateway.browser();
      await browser.signIn();
      gateway.clock.ahead = 16 * 60_000;
      await gateway.identity.stop();
      const page = await browser.visit('/plugins/');
      t.hasStrict(bootOf(page), { session: { signed_in: true, role: null }, answered: [] });
      t.equal(browser.cookies.has('session'), true);
    },
  );
});

t.test('language', async (t) => {
  function languageOf(page: Received): unknown {
    return JSON.parse(
      /<script type="application\/json" id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}',
    ).language;
  }

  t.test('the URL of a page can select the language without a cookie', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
    const read = async (query: string, headers: Record<string, string> = {}) =>
      languageOf(await gateway.browser().visit(`/plugins/${query}`, { headers }));
    const named = { 'zh-CN': 'zh-CN', en: 'en-US', jp: 'ja-JP', kr: 'ko-KR', ru: 'ru-RU', es: 'es-ES' };
    for (const [value, language] of Object.entries(named)) {
      t.equal(await read(`?lang=${value}`, { 'accept-language': 'es,ru;q=0.9' }), language, value);
    }
    t.equal(await read('?lang=ru', { cookie: 'lang=jp' }), 'ja-JP', 'the cookie has priority');
    t.equal(await read('?lang=ru', { cookie: 'lang=xx' }), 'ru-RU', 'an invalid cookie is ignored');
    t.equal(await read('?a=1&lang=kr&b=2'), 'ko-KR');
    t.equal(await read('?lang=kr&lang=ru'), 'ko-KR', 'the first of two');
  });

  t.test('an unknown language in the URL is ignored', async (t) => {
    const gateway = await startGateway(t, { settings: { DEPLOY_TYPE: 'overseas' } });
    gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
    const accept = { 'accept-language': 'es' };
    const values = [
      '',
      'en-US',
      'ja',
      'zh-CN',
      'EN',
      'en%20',
      '%3Cscript%3E',
      '%00',
      '..%2F',
      'en%0d%0a',
      'x'.repeat(4000),
    ];
    for (const value of values) {
      const page = await gateway.browser().visit(`/plugins/?lang=${value}`, { headers: accept });
      t.equal(page.status, 200, value.slice(0, 20));
      t.equal(languageOf(page), 'es-ES', value.slice(0, 20));
    }
  });

  t.test('the language parameter is ignored for calls', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/tag/list', ({ headers }) => ({
      tag_list: [headers['accept-language']],
    }));
    const answer = await gateway
      .browser()
      .call('/api/cmt/plugin/tag/list?lang=ru', { headers: { 'accept-language': 'ko' } });
    t.strictSame(answer.json().data, { tag_list: ['ko-KR'] });
  });

  t.test('pages are cached per language', async (t) => {
    const gateway = await startGateway(t);
    gateway.community.on('GET /api/cmt/plugin/list', () => ({}));
    const read = async (cookie: string) =>
      languageOf(await gateway.browser().visit('/plugins/?lang=ru', { headers: cookie ? { cookie } : {} }));
    t.equal(await read(''), 'ru-RU');
    t.equal(await read('lang=es'), 'es-ES');
    t.equal(await read(''), 'ru-RU');
  });
});

t.test('a page with data of the user and text of its address is not compressed (BREACH)', async (t) => {
  const html = `<!doctype html>${'long enough '.repeat(200)}`;
  const render = async (url: string) => ({ status: url.includes('nowhere') ? 404 : 200, html });
  const gateway = await startGateway(t, { entry: { render } });
  const [visitor, user] = [gateway.browser(), gateway.browser()];
  await user.signIn();
  const headers = { 'accept-encoding': 'br, gzip', accept: 'text/html' };
  const encodingOf = async (browser: typeof user, path: string) => {
    const page = await browser.visit(path, { headers });
    return page.headers['content-encoding'];
  };
  const reflecting = ['/plugins/?keyword=ada%40example', '/plugins/?x=1', '/plugins/nowhere'];
  for (const path of reflecting) t.equal(await encodingOf(user, path), undefined, path);
  t.equal(await encodingOf(user, '/plugins/'), 'br');
  t.equal(await encodingOf(visitor, '/plugins/?keyword=ada%40example'), 'br', 'no data of a user');
});
