import t from 'tap';
import { LANGUAGES } from '../../shared/languages.ts';
import { headTags } from '../../web/head-tags.ts';

const SITE = { language: 'ru-RU', languages: LANGUAGES, public_url: 'https://square.example' } as const;
const PATH = '/plugins/plugin/grid-maker';
const HEAD = { fullTitle: 'Grid · Square', title: 'Grid', description: 'Grids.', canonical: PATH };

function tagsOf(
  requested = PATH,
  head: Parameters<typeof headTags>[1] = HEAD,
  site: Parameters<typeof headTags>[0] = SITE,
) {
  return headTags(site, head, { requested: new URL(requested, site.public_url), siteName: 'Square' });
}

t.test('the canonical URL has no language, unless the URL chose it', async (t) => {
  const canonical = (requested: string) => tagsOf(requested).find((tag) => tag.includes('canonical'));
  const plain = `<link rel="canonical" href="https://square.example${PATH}">`;
  t.equal(canonical(PATH), plain);
  t.equal(canonical(`${PATH}?utm_source=x`), plain);
  t.equal(
    canonical(`${PATH}?lang=ru&x=1`),
    `<link rel="canonical" href="https://square.example${PATH}?lang=ru">`,
  );
  t.equal(canonical(`${PATH}?lang=en`), plain, 'the visitor’s own choice takes precedence');
  t.equal(canonical(`${PATH}?lang="><script>`), plain);
});

t.test('every available language has an alternate URL, and one is the default', async (t) => {
  const links = (site: Parameters<typeof headTags>[0]) =>
    tagsOf(PATH, HEAD, site).flatMap((tag) => /hreflang="([^"]*)" href="([^"]*)"/.exec(tag)?.slice(1) ?? []);
  t.strictSame(links(SITE), [
    ...[
      ['zh-Hans', 'zh-CN'],
      ['en', 'en'],
      ['ja', 'jp'],
      ['ko', 'kr'],
      ['ru', 'ru'],
      ['es', 'es'],
    ].flatMap(([name, value]) => [name, `https://square.example${PATH}?lang=${value}`]),
    ...['x-default', `https://square.example${PATH}`],
  ]);
  t.equal(links({ ...SITE, language: 'en-US', languages: ['zh-CN', 'en-US'] }).length, 6);
  t.strictSame(links({ ...SITE, language: 'en-US', languages: ['en-US'] }), [], 'without a choice');
});

t.test('Open Graph tags have languages and the picture with its size', async (t) => {
  const image = {
    path: '/api/cmt/media/0123-1280.webp',
    width: 1280,
    height: 720,
    alt: 'Grid',
  };
  const tags = tagsOf(PATH, { ...HEAD, image });
  const content = (name: string) =>
    tags.flatMap((tag) => new RegExp(`(?:property|name)="${name}" content="([^"]*)"`).exec(tag)?.[1] ?? []);
  t.strictSame(content('og:title'), ['Grid']);
  t.strictSame(content('og:locale'), ['ru_RU']);
  t.strictSame(content('og:locale:alternate'), ['zh_CN', 'en_US', 'ja_JP', 'ko_KR', 'es_ES']);
  t.strictSame(content('og:image'), ['https://square.example/api/cmt/media/0123-1280.webp']);
  t.strictSame(content('og:image:width'), ['1280']);
  t.strictSame(content('og:image:height'), ['720']);
  t.strictSame(content('og:image:alt'), ['Grid']);
  t.strictSame(content('twitter:card'), ['summary_large_image']);
  t.strictSame(content('description'), ['Grids.']);
  const icon = tagsOf(PATH, { ...HEAD, image: { ...image, width: 128, height: 128 } });
  t.ok(icon.includes('<meta name="twitter:card" content="summary">'), 'an icon uses a small width');
});

t.test('a publisher’s text is escaped', async (t) => {
  const evil = `"><script>alert('1')</script>&\u202e`;
  const image = { path: '/x.jpg', width: 1200, height: 630, alt: evil };
  const text = tagsOf(PATH, { ...HEAD, title: evil, description: evil.repeat(100), image }).join('\n');
  t.notMatch(text, /<script|alert\('/);
  t.match(text, 'content="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;\u202e"');
  t.equal(text.split('\n').filter((line) => !/^<(?:meta|link) [^<>]*>$/.test(line)).length, 0);
});

t.test('a page without a canonical URL, or a failed one, must not be indexed', async (t) => {
  const noindex = ['<meta name="robots" content="noindex">'];
  t.strictSame(tagsOf(PATH, { fullTitle: 'x' }), noindex);
  t.strictSame(tagsOf(PATH, { ...HEAD, status: 404 }), noindex);
});
