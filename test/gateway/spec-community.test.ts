import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadPages } from '../../server/gateway/pages/client-build.ts';
import { startGateway } from '../support/gateway.ts';
import { startSpecCommunity } from '../support/spec-community.ts';
import { startStub } from '../support/stub-upstream.ts';
import { scriptUserService } from '../support/user-service.ts';

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Every page of the site with its expected content, and whether it is shown without a session. */
const PAGES: readonly (readonly [path: string, status: number, shows: RegExp])[] = [
  ['/plugins/', 200, /href="\/plugins\/plugin\/10000".*>10000</s],
  ['/plugins/', 200, />Icons<\/a>/],
  ['/plugins/', 200, /id="recommended"/],
  ['/plugins/', 200, /<span [^>]*>\/plugins\/\?tag_id=1</],
  ['/plugins/', 200, /30 plugins/],
  ['/plugins/?tag_id=2&sort=1', 200, /href="\/plugins\/plugin\/p1"/],
  ['/plugins/?keyword=x', 200, /href="\/plugins\/plugin\/p1"/],
  ['/plugins/plugin/p1', 200, /<h1[^>]*>p1<\/h1>/],
  ['/plugins/plugin/10000', 200, /<h1[^>]*>10000<\/h1>/],
  ['/plugins/plugin/p99', 404, /noindex/],
  ['/plugins/protocol', 200, /<h1/],
  ['/plugins/docs/', 200, /<h1/],
  ['/plugins/publishing', 200, /<h1[^>]*>Publish your plugin here<.*hello-world\.json/s],
  ['/help/', 200, /No articles yet/],
  ['/help/1', 404, /noindex/],
  ['/plugins/403', 403, /The current account has no permission/],
  ['/plugins/nowhere', 404, /noindex/],
  ['/plugins/my-plugins', 200, /<main/],
  ['/plugins/publish-plugin/single', 200, /<main/],
  ['/plugins/publish-plugin/batch', 200, /<main/],
  ['/plugins/account', 200, /<main/],
  ['/plugins/backstage-index/audit-list', 200, /<main|id="root"/],
  ['/sitemap.xml', 200, /<sitemapindex/],
  ['/robots.txt', 200, /User-agent/],
];

t.test('every page works with a community that has only the required calls (R 14.54)', async (t) => {
  const { stub: community } = await startSpecCommunity(t);
  const identity = await startStub(t);
  const { entry } = await loadPages(DIST);
  const gateway = await startGateway(t, {
    entry,
    settings: { RATE_LIMIT_FACTOR: '0' },
    share: { community, helpcenter: community, identity, issued: scriptUserService(identity) },
  });
  const signedIn = gateway.browser();
  await signedIn.signIn();
  for (const [who, browser] of [
    ['a visitor', gateway.browser()],
    ['a user', signedIn],
  ] as const) {
    await t.test(who, async (t) => {
      for (const [path, status, shows] of PAGES) {
        const page = await browser.visit(path, {
          headers: { 'accept-language': 'en-US', accept: 'text/html' },
        });
        t.equal(page.status, status, path);
        t.match(page.text, shows, path);
        t.notMatch(page.text, /role="alert"|Invalid Date|NaN|undefined/, `${path}: no error`);
      }
    });
  }
  t.strictSame(
    gateway.lines().filter(({ msg }) => msg === 'page rendering failed'),
    [],
  );
});

t.test('a user service that sends numbers as text and omits optional fields', async (t) => {
  const { stub: community } = await startSpecCommunity(t);
  const gateway = await startGateway(t, { upstreams: { community: community.url } });
  const { issued, identity } = gateway;
  community.on('GET /api/cmt/manager/verify', () => ({ role: '2' }));
  identity.on('GET /user/login/code/user', () => ({
    user_id: '7',
    nick_name: null,
    is_owner: 1,
    access_token: issued.accessToken(),
    refresh_token: 'CANARY-refresh-text',
  }));
  const browser = gateway.browser();
  await browser.signIn();
  t.hasStrict((await browser.call('/api/auth/session')).json(), {
    data: { signed_in: true, role: 2, user: { user_id: 7, nick_name: '', is_owner: true, e_id: 0 } },
  });

  for (const user_id of [undefined, null, 'Ada', 0, {}]) {
    identity.on('GET /user/login/code/user', () => ({
      user_id,
      access_token: issued.accessToken(),
      refresh_token: 'CANARY-refresh-text',
    }));
    const nobody = gateway.browser();
    await nobody.signIn().catch(() => undefined);
    t.hasStrict(
      (await nobody.call('/api/auth/session')).json(),
      { data: { signed_in: false } },
      String(user_id),
    );
  }
});
