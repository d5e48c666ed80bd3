import t from 'tap';
import { footerColumns } from '../../../web/layout/footer-links.ts';
import { helpPath } from '../../../web/layout/help-path.ts';
import { siteAddress } from '../../../web/layout/site-address.ts';

const pathsOf = (columns: ReturnType<typeof footerColumns>) =>
  columns.flatMap(([, links]) => links.map(([, path]) => path));

t.test('each kind of site has its own links', async (t) => {
  for (const [variant, paths] of [
    ['domestic', ['/pixsoboard/', '/teamversion/', '/privatedeploy/', '/help/']],
    ['overseas', ['/pixso-whiteboard', '/pixso-enterprise/', '/private-deployment/', '/help/kr/']],
  ] as const) {
    const shown = pathsOf(footerColumns(variant, 'ko-KR', false));
    for (const path of paths) t.ok(shown.includes(path), `${variant}: ${path}`);
  }
  t.strictSame(
    pathsOf(footerColumns('private', 'zh-CN', false)),
    ['/app', '/pixsoboard/', '/prototype-design/', '/community/home?classify=library', '/help/'],
    'private: nothing that is sold',
  );
});

t.test('inside a workplace chat, what is hidden there is hidden here', async (t) => {
  for (const variant of ['domestic', 'overseas'] as const) {
    const paths = pathsOf(footerColumns(variant, 'en-US', true));
    t.notOk(
      paths.some((path) => /board|prototype|price|download|teamversion|enterprise/.test(path)),
      paths.join(' '),
    );
    t.ok(paths.includes('/community/home'));
  }
});

t.test('help overseas is in the reader’s language where there is one', async (t) => {
  t.strictSame(
    (['en-US', 'ja-JP', 'ko-KR', 'es-ES', 'ru-RU'] as const).map((language) =>
      helpPath('overseas', language),
    ),
    ['/help/en/', '/help/jp/', '/help/kr/', '/help/es/', '/help/en/'],
  );
  t.equal(helpPath('domestic', 'ja-JP'), '/help/');
  t.equal(helpPath('private', 'en-US'), '/help/');
});

t.test('addresses of the wider site', async (t) => {
  const here = {
    public_url: 'https://square.example',
    site_url: 'https://square.example',
    own_help: true,
    embedded: false,
  };
  const elsewhere = { ...here, site_url: 'https://design.example' };
  const library = '/community/home?classify=library';
  t.equal(siteAddress(library, here), library);
  t.equal(siteAddress('/price/', elsewhere), 'https://design.example/price/');
  t.equal(siteAddress(library, { ...here, embedded: true }), `${library}&embed=chat`);
  t.equal(
    siteAddress('/help/#faq', { ...elsewhere, embedded: true }),
    'https://design.example/help/?embed=chat#faq',
  );
});
