import t from 'tap';
import type { SiteVariant } from '../../../shared/deploy-types.ts';
import { footerColumns, helpPath } from '../../../web/layout/footer-links.ts';
import { siteAddress } from '../../../web/layout/site-address.ts';

const pathsOf = (columns: ReturnType<typeof footerColumns>) =>
  columns.flatMap(([, links]) => links.map(([, path]) => path));

t.test('each kind of site has its own links', async (t) => {
  for (const [variant, paths] of [
    ['domestic', ['/pixsoboard/', '/teamversion/', '/privatedeploy/', '/help/']],
    ['overseas', ['/pixso-whiteboard', '/pixso-enterprise/', '/private-deployment/', '/help/kr/']],
  ] as const) {
    const shown = pathsOf(footerColumns(variant, 'ko-KR', { embedded: false }));
    for (const path of paths) t.ok(shown.includes(path), `${variant}: ${path}`);
  }
  t.strictSame(
    pathsOf(footerColumns('private', 'zh-CN', { embedded: false })),
    ['/app', '/pixsoboard/', '/prototype-design/', '/community/home?classify=library', '/help/'],
    'private: nothing that is sold',
  );
});

t.test('inside a workplace chat the footer hides the same links as the header', async (t) => {
  const left = (variant: SiteVariant) => pathsOf(footerColumns(variant, 'en-US', { embedded: true }));
  const community = ['/community/home', '/community/home?classify=library', '/community/activity'];
  const support = ['/education-version/', '/contact-us/'];
  t.strictSame(left('domestic'), ['/app', ...community, '/designskills/', '/help/', ...support]);
  t.strictSame(left('overseas'), ['/app', ...community, '/designskills/', '/help/en/', ...support]);
  t.strictSame(left('private'), ['/app', '/community/home?classify=library', '/help/']);
});

t.test('links without a page are left out', async (t) => {
  const alone = footerColumns('domestic', 'zh-CN', { embedded: false, exists: (path) => path === '/help/' });
  t.strictSame(alone, [['resources', [['help', '/help/']]]]);
  t.strictSame(footerColumns('overseas', 'en-US', { embedded: false, exists: () => false }), []);
});

t.test('overseas help is in the reader’s language if available', async (t) => {
  t.strictSame(
    (['en-US', 'ja-JP', 'ko-KR', 'es-ES', 'ru-RU'] as const).map((language) =>
      helpPath('overseas', language),
    ),
    ['/help/en/', '/help/jp/', '/help/kr/', '/help/es/', '/help/en/'],
  );
  t.equal(helpPath('domestic', 'ja-JP'), '/help/');
  t.equal(helpPath('private', 'en-US'), '/help/');
});

t.test('URLs of the wider site', async (t) => {
  const here = {
    public_url: 'https://square.example',
    site_url: 'https://square.example',
    own_help: true,
    embedded: false,
  };
  const onOtherOrigin = { ...here, site_url: 'https://design.example' };
  const library = '/community/home?classify=library';
  t.equal(siteAddress(library, here), library);
  t.equal(siteAddress('/price/', onOtherOrigin), 'https://design.example/price/');
  t.equal(siteAddress('/', onOtherOrigin), 'https://design.example/');
  t.equal(siteAddress('/app', onOtherOrigin), 'https://design.example/app');
  t.equal(siteAddress(library, { ...here, embedded: true }), `${library}&embed=chat`);
  t.equal(
    siteAddress('/help/#faq', { ...onOtherOrigin, embedded: true }),
    'https://design.example/help/?embed=chat#faq',
  );
});

t.test('a standalone marketplace only has its own pages', async (t) => {
  const alone = { public_url: 'https://square.example', own_help: true, embedded: false };
  t.strictSame(
    ['/', '/app', '/price/', '/community/home?user_id=7', '/helpless'].map((path) =>
      siteAddress(path, alone),
    ),
    Array.from({ length: 5 }, () => undefined),
  );
  t.strictSame(
    ['/plugins/', '/plugins/plugin/abc?x=1#y', '/help/', '/help/jp/', '/help/7'].map((path) =>
      siteAddress(path, alone),
    ),
    ['/plugins/', '/plugins/plugin/abc?x=1#y', '/help/', '/help/', '/help/7'],
  );
  t.equal(siteAddress('/help/', { ...alone, own_help: false }), undefined, 'a foreign help center');
  t.equal(siteAddress('/plugins/', { ...alone, embedded: true }), '/plugins/?embed=chat');
});

t.test('the design tool may have its own URL', async (t) => {
  const app_url = 'https://app.example/start?from=square#files';
  const alone = { public_url: 'https://square.example', app_url, own_help: true, embedded: true };
  t.equal(siteAddress('/app', alone), app_url);
  t.equal(siteAddress('/', alone), app_url, 'with its own home page');
  t.equal(siteAddress('/price/', alone), undefined);
  const whole = { ...alone, site_url: 'https://design.example', embedded: false };
  t.equal(siteAddress('/app', whole), app_url);
  t.equal(siteAddress('/', whole), 'https://design.example/');
});
