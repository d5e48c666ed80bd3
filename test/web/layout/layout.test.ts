import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { SiteVariant } from '../../../shared/deploy-types.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import {
  canStep,
  ENTRIES_MAX,
  entryOf,
  goHome,
  isEntry,
  moveTo,
  readHistory,
  replaceEntry,
  startAt,
  step,
  storeHistory,
  visit,
} from '../../../web/layout/desktop/navigation-history.ts';
import { scrollKeyOf } from '../../../web/layout/desktop/scroll-key.ts';
import { footerColumns, helpPath } from '../../../web/layout/footer-links.ts';
import type { Path } from '../../../web/layout/header/targets/target.ts';
import { pathsOf, targetsOf } from '../../../web/layout/header/targets/targets-of.ts';
import { siteAddress } from '../../../web/layout/site-address.ts';

t.test('desktop history', async (t) => {
  const HOME = '/plugins/';
  const [A, B, C, D] = ['/plugins/plugin/a', '/plugins/plugin/b', '/plugins/?tag=3', '/plugins/403'] as const;
  const at = (index: number, ...list: string[]) => ({ list, index });

  t.test('a link appends its page and drops forward entries', async (t) => {
    t.strictSame(visit(startAt(HOME), A), at(1, HOME, A));
    t.strictSame(visit(at(0, HOME, A, B), C), at(1, HOME, C));
  });

  t.test('the oldest entries are dropped beyond the maximum', async (t) => {
    let history = startAt(HOME);
    for (let count = 0; count < ENTRIES_MAX + 5; count += 1)
      history = visit(history, `/plugins/plugin/${count}`);
    t.equal(history.list.length, ENTRIES_MAX);
    t.equal(history.index, ENTRIES_MAX - 1);
    t.equal(history.list.at(-1), `/plugins/plugin/${ENTRIES_MAX + 4}`);
    t.equal(history.list[0], '/plugins/plugin/5');
  });

  t.test('back and forward depend on the entries on either side', async (t) => {
    const first = at(0, HOME, A);
    t.notOk(canStep(first, -1));
    t.ok(canStep(first, 1));
    const last = step(first, 1);
    t.strictSame(last, at(1, HOME, A));
    t.ok(canStep(last, -1));
    t.notOk(canStep(last, 1));
    t.equal(step(last, 1), last, 'no change beyond the end');
    t.equal(step(first, -1), first, 'nor before the start');
  });

  t.test('plugin home is appended unless it is the next entry', async (t) => {
    t.strictSame(goHome(startAt(A), HOME), at(1, A, HOME));
    t.strictSame(goHome(at(0, A, HOME, B), HOME), at(1, A, HOME, B), 'the next entry is kept');
    t.strictSame(goHome(at(1, HOME, A, B), HOME), at(2, HOME, A, HOME), 'other forward entries are dropped');
    const there = at(1, A, HOME);
    t.equal(goHome(there, HOME), there, 'already on screen');
  });

  t.test('the browser’s back and forward move to the nearest entry of the page', async (t) => {
    t.strictSame(moveTo(at(2, A, B, C), B), at(1, A, B, C));
    t.strictSame(moveTo(at(0, A, B, C), C), at(2, A, B, C));
    t.strictSame(moveTo(at(1, A, B, A), A), at(0, A, B, A), 'prefers the entry behind');
    t.strictSame(moveTo(at(3, A, B, A, C), A), at(2, A, B, A, C));
    t.strictSame(moveTo(at(1, A, B), D), at(2, A, B, D), 'a page from before this history is appended');
  });

  t.test('a page that changes its URL keeps its position', async (t) => {
    t.strictSame(replaceEntry(at(1, A, HOME, B), C), at(1, A, C, B));
  });

  t.test('an entry is a normalized path and query', async (t) => {
    const of = (pathname: string, search = '') => entryOf({ pathname, search });
    t.equal(of('/plugins/', '?tag=3&sort=1'), '/plugins/?tag=3&sort=1');
    t.equal(of('/plugins/', '?keyword=图标'), '/plugins/?keyword=%E5%9B%BE%E6%A0%87');
    t.equal(of('/plugins/', '?keyword=a b'), '/plugins/?keyword=a%20b');
    t.equal(of('/plugins/', '?client=desktop'), '/plugins/', 'tab parameters are not part of the page');
    t.equal(of('/plugins/', '?tag=3&client=desktop'), '/plugins/?tag=3');
    t.equal(of('//evil.example/x'), '/evil.example/x', 'never the URL of another site');
    t.equal(of('/\\evil.example/x'), '/evil.example/x');
    t.equal(of('/.//evil.example'), '/evil.example');
    for (const [pathname, search] of [
      [HOME, '?keyword=%E5%9B%BE'],
      ['/plugins/a%20b', ''],
    ] as const)
      t.ok(isEntry(of(pathname, search)), 'it can be restored');
  });

  t.test('the history of a tab is stored, and invalid data is replaced', async (t) => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    t.equal(readHistory(storage), undefined);
    storeHistory(storage, at(1, HOME, C));
    t.strictSame(readHistory(storage), at(1, HOME, C));
    t.equal(kept.size, 1);
    const foreign: unknown[] = [
      null,
      7,
      [],
      {},
      { list: [HOME] },
      { index: 0 },
      { list: [], index: 0 },
      { list: HOME, index: 0 },
      { list: [HOME], index: 1 },
      { list: [HOME], index: -1 },
      { list: [HOME], index: 0.5 },
      { list: [HOME], index: '0' },
      { list: [HOME, 7], index: 0 },
      { list: [HOME, 'plugins/'], index: 0 },
      { list: [HOME, ''], index: 0 },
      { list: [HOME, '//evil.example/'], index: 0 },
      { list: [HOME, '/\\evil.example/'], index: 0 },
      { list: [HOME, 'https://evil.example/'], index: 0 },
      { list: [HOME, 'javascript:alert(1)'], index: 0 },
      { list: [HOME, '/plugins/#hash'], index: 0 },
      { list: [HOME, '/plugins/../x'], index: 0 },
      { list: Array.from({ length: ENTRIES_MAX + 1 }, () => HOME), index: 0 },
    ];
    for (const text of ['', '{', ...foreign.map((value) => JSON.stringify(value))]) {
      for (const key of kept.keys()) kept.set(key, text);
      t.equal(readHistory(storage), undefined, text.slice(0, 60));
    }
  });

  t.test('a page shown again keeps its scroll position', async (t) => {
    t.equal(scrollKeyOf({ key: 'k', state: null }), 'k');
    t.equal(scrollKeyOf({ key: 'k', state: { stepsFromList: 1 } }), 'k');
    t.equal(scrollKeyOf({ key: 'k', state: { scroll_key: 7 } }), 'k');
    t.equal(scrollKeyOf({ key: 'k', state: { scroll_key: 'before' } }), 'before');
  });
});

t.test('footer', async (t) => {
  const linkPaths = (columns: ReturnType<typeof footerColumns>) =>
    columns.flatMap(([, links]) => links.map(([, path]) => path));

  t.test('each kind of site has its own links', async (t) => {
    for (const [variant, paths] of [
      ['domestic', ['/pixsoboard/', '/teamversion/', '/privatedeploy/', '/help/']],
      ['overseas', ['/pixso-whiteboard', '/pixso-enterprise/', '/private-deployment/', '/help/kr/']],
    ] as const) {
      const shown = linkPaths(footerColumns(variant, 'ko-KR', { embedded: false }));
      for (const path of paths) t.ok(shown.includes(path), `${variant}: ${path}`);
    }
  });

  t.test('the footer of a private deployment links the workbench and what its header links', async (t) => {
    for (const embedded of [false, true])
      t.strictSame(
        new Set(linkPaths(footerColumns('private', 'zh-CN', { embedded }))),
        new Set([
          '/app',
          '/plugins/docs/',
          '/plugins/collections',
          ...pathsOf(targetsOf('private', { embedded })),
        ]),
        embedded ? 'inside a workplace chat' : 'in a browser',
      );
  });

  t.test('inside a workplace chat the footer hides the same links as the header', async (t) => {
    const left = (variant: SiteVariant) => linkPaths(footerColumns(variant, 'en-US', { embedded: true }));
    const community = ['/community/home', '/community/home?classify=library', '/community/activity'];
    const support = ['/education-version/', '/contact-us/', '/plugins/publishing', '/plugins/docs/'];
    const resources = [...community, '/designskills/', '/plugins/collections'];
    t.strictSame(left('domestic'), ['/app', ...resources, '/help/', ...support]);
    t.strictSame(left('overseas'), ['/app', ...resources, '/help/en/', ...support]);
  });

  t.test('links without a page are left out', async (t) => {
    const alone = footerColumns('domestic', 'zh-CN', {
      embedded: false,
      exists: (path) => path === '/help/',
    });
    t.strictSame(alone, [['resources', [['help', '/help/']]]]);
    const own = footerColumns('domestic', 'zh-CN', {
      embedded: false,
      exists: (path) => /^\/(plugins|help)\//.test(path),
    });
    t.strictSame(own.at(-1), [
      'publishers',
      [
        ['publishing', '/plugins/publishing'],
        ['developer_docs', '/plugins/docs/'],
      ],
    ]);
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
});

t.test('header targets', async (t) => {
  const VARIANTS: readonly SiteVariant[] = ['domestic', 'overseas', 'private'];

  /** Every link target of the header (R 11.2, R 11.3). */
  const LINKS = [
    '/',
    '/app',
    '/community/home',
    '/community/home?classify=library',
    '/community/activity',
    '/plugins/',
    '/plugins/publishing',
    '/price/',
    '/download/',
    '/help/',
    '/help/en/',
    '/help/jp/',
    '/help/kr/',
    '/help/es/',
    '/contact-us/',
    '/pixsoboard/',
    '/pixso-whiteboard',
    '/prototype-design/',
    '/teamversion/',
    '/pixso-enterprise/',
    '/privatedeploy/',
    '/private-deployment/',
    '/recommend/',
    '/education-version/',
    '/organization-application/',
    '/customer-cases/',
    '/designskills/',
  ];

  function pathsIn(variant: SiteVariant, embedded = false): Set<string> {
    const targets = targetsOf(variant, { embedded });
    return new Set([targets.workbench, ...pathsOf(targets)]);
  }

  t.test('the tables have exactly the required links', async (t) => {
    const all = new Set(VARIANTS.flatMap((variant) => [...pathsIn(variant)]));
    t.strictSame([...all].sort(), [...LINKS].sort());
  });

  t.test('each kind of site has its own page names', async (t) => {
    const [domestic, overseas] = [pathsIn('domestic'), pathsIn('overseas')];
    const pairs = [
      ['/pixsoboard/', '/pixso-whiteboard'],
      ['/teamversion/', '/pixso-enterprise/'],
      ['/privatedeploy/', '/private-deployment/'],
      ['/help/', '/help/en/'],
    ] as const;
    for (const [here, abroad] of pairs) {
      t.ok(domestic.has(here) && !domestic.has(abroad), here);
      t.ok(overseas.has(abroad) && !overseas.has(here), abroad);
    }
  });

  t.test('sections are in the order of R 11.4', async (t) => {
    const names = (variant: SiteVariant) =>
      targetsOf(variant, { embedded: false }).sections.flatMap(({ name, drawerOnly }) =>
        drawerOnly ? [] : [name],
      );
    const whole = ['product', 'community', 'membership', 'download', 'help', 'enterprise', 'support'];
    t.strictSame(names('domestic'), whole);
    t.strictSame(names('overseas'), whole);
    t.strictSame(names('private'), whole);
  });

  t.test('overseas help is in the language of the site, else in English', async (t) => {
    const help = targetsOf('overseas', { embedded: false }).sections.find(({ name }) => name === 'help');
    const [center] = help && 'links' in help ? help.links : [];
    const byLanguage = typeof center?.path === 'object' ? center.path : undefined;
    t.strictSame(
      LANGUAGES.map((language) => byLanguage?.[language]),
      ['/help/en/', '/help/en/', '/help/jp/', '/help/kr/', '/help/en/', '/help/es/'],
    );
  });

  t.test('private deployments have all menus, and every site has a home link', async (t) => {
    t.strictSame(pathsIn('private'), pathsIn('domestic'));
    for (const variant of VARIANTS)
      t.equal(targetsOf(variant, { embedded: false }).personalHome(7), '/community/home?user_id=7');
  });

  t.test('a menu of one link is that link, on every site and in a chat', async (t) => {
    const OWN = /^\/(plugins|help)\//;
    for (const variant of VARIANTS)
      for (const embedded of [false, true])
        for (const exists of [
          () => true,
          (path: Path) => OWN.test(typeof path === 'string' ? path : path['en-US']),
        ])
          for (const section of targetsOf(variant, { embedded, exists }).sections)
            t.ok(!('links' in section) || section.links.length > 1, `${variant}: ${section.name}`);
    const chat = targetsOf('domestic', { embedded: true }).sections;
    t.strictSame(chat[0], { name: 'product', path: '/', link: 'design' });
  });

  t.test('links without a page and empty menus are left out', async (t) => {
    const alone = targetsOf('domestic', {
      embedded: false,
      exists: (path) => /^\/(plugins|help)\//.test(String(path)),
    });
    t.strictSame([...pathsOf(alone)], ['/plugins/', '/help/', '/plugins/publishing']);
    t.strictSame(
      alone.sections,
      [
        { name: 'community', path: '/plugins/', link: 'plugins' },
        { name: 'help', path: '/help/', link: 'help_center' },
        { name: 'publishing', path: '/plugins/publishing' },
      ],
      'few words need no menu "More" and leave space for publishing',
    );
  });

  t.test('a row that is full of single links leaves publishing to the drawer', async (t) => {
    const exists = (path: Path) => /^\/$|^\/(plugins|help)\//.test(String(path));
    t.strictSame(targetsOf('domestic', { embedded: false, exists }).sections, [
      { name: 'product', path: '/', link: 'design' },
      { name: 'community', path: '/plugins/', link: 'plugins' },
      { name: 'help', path: '/help/', link: 'help_center' },
      { name: 'publishing', path: '/plugins/publishing', drawerOnly: true },
    ]);
  });

  t.test('inside a workplace chat, its own tools and sales are hidden', async (t) => {
    const hidden: readonly [SiteVariant, readonly string[]][] = [
      [
        'domestic',
        ['/pixsoboard/', '/prototype-design/', '/price/', '/download/', '/teamversion/', '/privatedeploy/'],
      ],
      [
        'overseas',
        ['/pixso-whiteboard', '/prototype-design/', '/price/', '/download/', '/pixso-enterprise/'],
      ],
      ['private', ['/pixsoboard/', '/prototype-design/', '/price/', '/download/', '/teamversion/']],
    ];
    for (const [variant, paths] of hidden) {
      const left = pathsIn(variant, true);
      t.strictSame(
        paths.filter((path) => left.has(path)),
        [],
        variant,
      );
      t.ok(
        ['/', '/plugins/', '/app'].every((path) => left.has(path)),
        `${variant}: the rest is there`,
      );
    }
  });

  t.test('every link has a name and a description in every language', async (t) => {
    const names = VARIANTS.flatMap((variant) => targetsOf(variant, { embedded: false }).sections).flatMap(
      (section) => ('links' in section ? section.links.map(({ name }) => name) : []),
    );
    for (const language of LANGUAGES) {
      const file = fileURLToPath(new URL(`../../../locales/${language}.json`, import.meta.url));
      const { headerLinks }: { headerLinks: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'));
      const keys = new Set(['new_window', ...names.flatMap((name) => [name, `${name}_about`])]);
      t.strictSame(Object.keys(headerLinks).sort(), [...keys].sort(), language);
    }
  });
});
