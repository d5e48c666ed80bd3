import t from 'tap';
import { helpcenterPath, isAdminArea } from '../../../server/gateway/proxy/access.ts';
import { decodedSegments, encodedPath } from '../../../server/gateway/proxy/path.ts';
import { proxyTable } from '../../../server/gateway/proxy/table.ts';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { serviceCalls } from '../../../shared/routes/settings.ts';
import { RIGHTS } from '../../rights/table.ts';
import { startGateway } from '../../support/gateway.ts';

t.test('table of routes', async (t) => {
  /** A contract path with its parameters filled in. */
  function filled(path: string): string {
    return path
      .replace('{name}', `${'a'.repeat(64)}.png`)
      .replace(/\{(?:plugin_)?key\}/, 'abcdefgh')
      .replace('{source}', 'oidc')
      .replace('{uid}', 'unknown')
      .replace('{sha256}', 'a'.repeat(64))
      .replace('{id}', '7');
  }

  const isHelp = (path: string): boolean => path.startsWith('/api/helpcenter/');

  t.test(
    'R 10.1: every call of the contract reaches its service, with the session’s bearer token',
    async (t) => {
      const gateway = await startGateway(t);
      gateway.community.on('GET /api/cmt/manager/verify', () => ({ role: 2 }));
      const browser = gateway.browser();
      await browser.signIn();
      for (const route of Object.values<Route>(contract)) {
        if (route.service === 'gateway') continue;
        const path = filled(route.path);
        const stub = gateway[isHelp(path) ? 'helpcenter' : route.service];
        stub.on(`${route.method} ${path}`, () => ({ reached: true, role: 2 }));
        const answer = await browser.call(path, {
          method: route.method,
          ...(route.method !== 'GET' && { body: '{}' }),
        });
        t.equal(answer.status, 200, `${route.method} ${path}`);
        const seen = stub.seen(`${route.method} ${path}`).at(-1);
        const isPersonal =
          route.service === 'community' && route.shared === undefined && (!route.file || route.sendsSession);
        const wantsBearer = route.access !== 'all' || isPersonal;
        t.equal(seen?.headers.authorization?.startsWith('Bearer e30.'), wantsBearer || undefined);
        t.equal(seen?.headers.cookie, undefined);
      }
    },
  );

  t.test('anonymous calls that need a session stop at the gateway', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const { call, outcomes } of RIGHTS) {
      const [method = '', path = ''] = call.split(' ');
      if (path.startsWith('/api/auth/') || outcomes.visitor !== '401') continue;
      // All other help-center paths are proxied; the service refuses them.
      if (isHelp(path) && !path.includes('/manager/')) continue;
      const answer = await browser.call(filled(path), { method });
      t.equal(answer.status, 401, call);
      t.equal(answer.json().code, 'UNAUTHENTICATED');
    }
    t.strictSame([...gateway.community.requests, ...gateway.identity.requests], []);
  });

  t.test('R 10.1: no other path is proxied', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const [method, path, status] of [
      ['GET', '/api/cmt/internal', 404],
      ['GET', '/api/cmt', 404],
      ['GET', '/api/cmt/', 404],
      ['GET', '/api/cmt/plugin/list/', 404],
      ['GET', '/api/cmt/plugin/list/x', 404],
      ['GET', '/API/cmt/plugin/list', 404],
      ['GET', '/api/cmt/Plugin/list', 404],
      ['GET', '/api/other', 404],
      ['GET', '/user/page/other', 404],
      ['GET', '/user/valid', 404],
      ['GET', '/user/refresh_token', 404],
      ['POST', '/user/publish-grant', 404],
      ['POST', '/user/publish-grant/check', 404],
      ['POST', '/api/cmt/plugin/list', 405],
      ['DELETE', '/api/cmt/plugin/list', 405],
      ['PATCH', '/api/cmt/plugin', 405],
      ['OPTIONS', '/api/cmt/plugin/list', 405],
      ['POST', '/user/page/options', 405],
    ] as const) {
      const answer = await browser.call(path, { method });
      t.equal(answer.status, status, `${method} ${path}`);
      t.equal(answer.json().code, status === 404 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED');
    }
    const refused = await browser.call('/api/cmt/plugin/list', { method: 'POST' });
    t.equal(refused.headers.allow, 'GET, HEAD');
    const stubs = [gateway.community, gateway.helpcenter, gateway.identity];
    t.strictSame(
      stubs.flatMap(({ requests }) => requests),
      [],
    );
  });

  t.test(
    'internal calls of services are not proxied in any spelling, not even for a super administrator',
    async (t) => {
      const gateway = await startGateway(t);
      gateway.community.on('GET /api/cmt/manager/verify', () => ({ role: 1 }));
      const browser = gateway.browser();
      await browser.signIn();
      const stubs = [gateway.community, gateway.helpcenter, gateway.identity];
      // Any request that arrived there would get the secret.
      for (const stub of stubs) stub.otherwise(() => ({ account: { client_secret: 'canary-secret' } }));
      const spellings = Object.values(serviceCalls).flatMap(({ path }) => {
        const [, service = '', account = '', name = ''] = path.split('/');
        return [
          path,
          `${path}/`,
          `${path}?x=1`,
          `/${service.toUpperCase()}/${account}/${name}`,
          `/%73ervice/${account}/${name}`,
          `/service%2F${account}%2F${name}`,
          `/service/account/${name.replace('o', '%6F')}`,
          `/service;x=1/${account}/${name}`,
          `/${path}`,
          `/x/..${path}`,
          `/plugins/..${path}`,
          `/user${path}`,
          `/api${path}`,
          `/api/cmt${path}`,
          `/api/cmt/..${path}`,
          `/api/cmt/../..${path}`,
          `/api/cmt/%2e%2e/%2e%2e${path}`,
          `/api/cmt/..%2f..${path}`,
          `/api/cmt/..\\..${path}`,
          `/api/cmt/manager${path}`,
          `/api/cmt/srv/config/pexels/../../../../..${path}`,
          `/api/helpcenter/..${path}`,
          `/api/helpcenter/../..${path}`,
          `/api/helpcenter/%2e%2e/%2e%2e${path}`,
          `/api/helpcenter/manager/../../..${path}`,
          `/api/helpcenter/%252e%252e${path}`,
        ];
      });
      for (const page of ['/plugins/', '/plugins/backstage-index/iconfont']) {
        for (const path of spellings) {
          const answer = await browser.call(path, { headers: { 'x-page-path': page } });
          t.ok([308, 400, 404].includes(answer.status), `${answer.status} ${path}`);
          t.notMatch(answer.text, 'canary');
        }
      }
      t.strictSame(
        stubs.flatMap(({ requests }) => requests.filter(({ target }) => /serv|icon|photo/i.test(target))),
        [],
      );
      // All help-center paths are proxied below the prefix.
      const helped = await browser.call(`/api/helpcenter${serviceCalls.readIconFontAccount.path}`, {
        headers: { 'x-page-path': '/plugins/backstage-index/iconfont' },
      });
      t.equal(helped.status, 200);
      t.equal(
        gateway.helpcenter.requests.at(-1)?.target,
        '/api/helpcenter/manager/service/account/icon-font',
      );
      for (const { method, path } of Object.values(serviceCalls)) {
        t.throws(() => proxyTable([`${method} ${path}`]), /EXTRA_CMT_ROUTES/);
      }
    },
  );

  t.test('HEAD is allowed where GET is', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    gateway.community.on('GET /api/cmt/plugin/tag/list', () => ({ tag_list: [] }));
    await browser.call('/api/cmt/plugin/tag/list');
    const head = await browser.call('/api/cmt/plugin/tag/list', { method: 'HEAD' });
    t.equal(head.status, 200);
    t.equal(head.text, '');
  });

  t.test('EXTRA_CMT_ROUTES adds routes, with path parameters', async (t) => {
    const gateway = await startGateway(t, {
      settings: {
        EXTRA_CMT_ROUTES: 'GET /api/cmt/own/{key}/list, PUT /api/cmt/own/{id}/list, POST /api/cmt/own',
      },
    });
    const browser = gateway.browser();
    gateway.community.on('GET /api/cmt/own/abc%20d/list', () => ({ own: 1 }));
    gateway.community.on('POST /api/cmt/own', ({ body }) => ({ own: body.toString() }));
    t.equal((await browser.call('/api/cmt/own/abc%20d/list')).status, 200);
    t.equal((await browser.call('/api/cmt/own', { method: 'POST', body: '[1]' })).json().data.own, '[1]');
    gateway.community.on('PUT /api/cmt/own/a/list', () => ({ own: 2 }));
    t.equal((await browser.call('/api/cmt/own/a/list', { method: 'PUT' })).json().data.own, 2);
    t.equal((await browser.call('/api/cmt/own/a/b/list')).status, 404);
    t.equal((await browser.call('/api/cmt/own', { method: 'PUT' })).status, 405);
  });

  t.test('EXTRA_CMT_ROUTES never replaces a route of the contract', async (t) => {
    const EXTRA_CMT_ROUTES =
      'GET /api/cmt/plugin/list, GET /api/cmt/notice/list, GET /api/cmt/manager/plugin/{id}/download';
    const gateway = await startGateway(t, { settings: { EXTRA_CMT_ROUTES } });
    const browser = gateway.browser();
    for (const path of ['/api/cmt/notice/list', '/api/cmt/manager/plugin/colour-steps/download'])
      t.equal((await browser.call(path)).status, 401, path);
    t.strictSame(gateway.community.requests, []);
    t.strictSame(proxyTable(EXTRA_CMT_ROUTES.split(', ')), proxyTable([]));
  });

  t.test('an invalid pattern stops the start with a message', async (t) => {
    for (const pattern of [
      '/api/cmt/x',
      'GET /api/other',
      'GET /api/cmt/../x',
      'TRACE /api/cmt/x',
      'GET /api/cmt/*',
    ]) {
      t.throws(() => proxyTable([pattern]), /EXTRA_CMT_ROUTES/, pattern);
    }
  });
});

t.test('paths', async (t) => {
  t.test('valid paths are decoded, whatever their encoding', async (t) => {
    t.strictSame(decodedSegments('/api/%63mt/plugin?x=%00'), ['api', 'cmt', 'plugin']);
    t.strictSame(decodedSegments('/plugins/'), ['plugins', '']);
    t.strictSame(decodedSegments('/'), ['']);
    t.strictSame(decodedSegments('/%E6%8F%92/a%20b/100%25'), ['插', 'a b', '100%']);
    t.equal(encodedPath(['a b', '插', "it's"]), "/a%20b/%E6%8F%92/it's");
  });

  t.test('the upstream path is normalized; the query is unchanged', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    gateway.helpcenter.on('GET /api/helpcenter/article/a%20b', ({ query }) => ({ q: query.get('q') }));
    const answer = await browser.call('/%61pi/%68elpcenter/%61rticle/a%20b?q=../%2e%2e/x');
    t.equal(answer.status, 200);
    t.equal(answer.json().data.q, '../../x');
    t.equal((await browser.call('/api/%63mt/internal')).status, 404);
  });
});

t.test('help center', async (t) => {
  t.test('the page path decides whether a page is in the admin area', async (t) => {
    for (const page of [
      '/plugins/backstage-index',
      '/plugins/backstage-index/audit-list',
      '/plugins/backstage-index?x=1',
      '/admin',
      '/plugins/admin/x',
      '/plugins/administration',
      '/plugins/%61dmin',
    ]) {
      t.equal(isAdminArea(page), true, page);
    }
    for (const page of [
      '/plugins/',
      '/plugins/backstage-indexes',
      '/x/plugins/backstage-index',
      '/plugins/?next=/admin',
      '/plugins/?x=/plugins/backstage-index',
      '/plugins/badmin',
      '/plugins/..%2fadmin',
      'admin',
      '',
      undefined,
    ]) {
      t.equal(isAdminArea(page), false, String(page));
    }
  });

  t.test('the upstream path of a call, and whether it needs an administrator', async (t) => {
    const admin = '/plugins/backstage-index/audit-list';
    const to = (path: string, page: string) => {
      const { segments, adminOnly } = helpcenterPath(path.slice(1).split('/'), page);
      return [`/${segments.join('/')}`, adminOnly];
    };
    const base = '/api/helpcenter';
    t.strictSame(to(`${base}/a/b`, '/plugins/'), [`${base}/a/b`, false]);
    t.strictSame(to(`${base}/a/b`, admin), [`${base}/manager/a/b`, true]);
    t.strictSame(to(`${base}/user/admininfo`, admin), [`${base}/user/admininfo`, false]);
    t.strictSame(to(`${base}/upload/picture`, admin), [`${base}/upload/picture`, false]);
    t.strictSame(to(`${base}/user/admininfo/x`, admin), [`${base}/manager/user/admininfo/x`, true]);
    t.strictSame(to(`${base}/manager/a`, admin), [`${base}/manager/a`, true]);
    t.strictSame(
      to(`${base}/manager/a`, '/plugins/'),
      [`${base}/manager/a`, true],
      'also without the header',
    );
    t.strictSame(to(`${base}/a/Manager/b`, '/plugins/'), [`${base}/a/Manager/b`, true]);
    t.strictSame(to(`${base}/managers`, '/plugins/'), [`${base}/managers`, false]);
  });

  t.test('segments that a service could read as manager are treated as it, or refused', async (t) => {
    const gateway = await startGateway(t);
    gateway.helpcenter.otherwise(() => ({ made: true }));
    const member = gateway.browser();
    await member.signIn();
    const visitor = gateway.browser();
    for (const segment of [
      'manager%3Bx',
      'manager;x=1',
      'manager%20',
      '%20manager',
      'manager%3B',
      'Manager%20',
      'MANAGER.json',
      'manager.',
      '.manager',
      'manager+',
      'manager,x',
      'manager%C2%A0',
      'ma%E2%80%8Bnager',
      '%EF%BD%8D%EF%BD%81%EF%BD%8E%EF%BD%81%EF%BD%87%EF%BD%85%EF%BD%92',
    ]) {
      for (const path of [`/api/helpcenter/${segment}/article`, `/api/helpcenter/a/${segment}`]) {
        for (const browser of [member, visitor]) {
          const answer = await browser.call(path);
          t.equal(answer.status, 400, path);
          t.equal(answer.json().code, 'BAD_PATH');
        }
      }
    }
    for (const dots of ['..;', '..%3Bx', '.;', '%2e%2e%3b', '..%20', ';', ';x']) {
      const answer = await member.call(`/api/helpcenter/${dots}/cmt/plugin/list`);
      t.equal(answer.status, 400, dots);
    }
    for (const segment of ['Manager', 'MANAGER', '%4danager']) {
      const refused = await member.call(`/api/helpcenter/${segment}/article`);
      t.strictSame([refused.status, refused.json().code], [403, 'FORBIDDEN'], segment);
    }
    t.strictSame(gateway.helpcenter.requests, []);
    for (const segment of [
      'managers',
      'manager-guide',
      'manager_2',
      'for-manager',
      'mismanager',
      'a;b',
      '...x',
      '..foo',
      'foo..',
    ]) {
      t.equal((await member.call(`/api/helpcenter/${segment}/article`)).status, 200, segment);
    }
  });
});
