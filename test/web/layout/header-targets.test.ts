import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { SiteVariant } from '../../../shared/deploy-types.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { pathsOf, targetsOf } from '../../../web/layout/header/targets/targets-of.ts';

const VARIANTS: readonly SiteVariant[] = ['domestic', 'overseas', 'private'];

/** Every link target of the header in specification section 2. */
const LINKS = [
  '/',
  '/app',
  '/community/home',
  '/community/home?classify=library',
  '/community/activity',
  '/plugins/',
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

t.test('the tables have exactly the links of the specification', async (t) => {
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

t.test('sections are in the order of the specification', async (t) => {
  const names = (variant: SiteVariant) =>
    targetsOf(variant, { embedded: false }).sections.map(({ name }) => name);
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

t.test('links without a page and empty menus are left out', async (t) => {
  const alone = targetsOf('domestic', {
    embedded: false,
    exists: (path) => /^\/(plugins|help)\//.test(String(path)),
  });
  t.strictSame([...pathsOf(alone)], ['/plugins/', '/help/']);
  t.strictSame(
    alone.sections.map(({ name, fold }) => [name, fold]),
    [
      ['community', undefined],
      ['help', undefined],
    ],
    'few words need no menu "More"',
  );
});

t.test('inside a workplace chat, its own tools and sales are hidden', async (t) => {
  const hidden: readonly [SiteVariant, readonly string[]][] = [
    [
      'domestic',
      ['/pixsoboard/', '/prototype-design/', '/price/', '/download/', '/teamversion/', '/privatedeploy/'],
    ],
    ['overseas', ['/pixso-whiteboard', '/prototype-design/', '/price/', '/download/', '/pixso-enterprise/']],
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
