import t from 'tap';
import type { Boot, PageQuery } from '../../shared/boot.ts';
import { siteAddress } from '../../web/layout/site-address.ts';
import { answering, type PageResponse } from './support/answers.ts';
import { bootWith } from './support/boot.ts';
import { builtWeb } from './support/build.ts';

const entry = {
  id: 7,
  category_id: 1,
  title: 'Begin',
  lang: 'en-US',
  updated_at: '2026-05-01T00:00:00.000Z',
};
const LISTS: PageResponse[] = [
  {
    operation: 'listHelpCategories',
    ok: true,
    data: { category_list: [{ id: 1, name: 'First steps', lang: 'en-US', article_count: 1 }] },
  },
  { operation: 'listHelpArticles', ok: true, data: { article_list: [entry] } },
];
const articleOf = (blocks: unknown): PageResponse => ({
  operation: 'readHelpArticle',
  ok: true,
  data: { ...entry, blocks },
});
const failed = (
  operation: 'listHelpArticles' | 'listHelpCategories' | 'readHelpArticle',
  status: number,
): PageResponse => ({
  operation,
  ok: false,
  status,
  code: status === 404 ? 'NOT_FOUND' : 'UPSTREAM_UNAVAILABLE',
});

t.test('pages of help', async (t) => {
  const { entry: server } = await builtWeb();
  const page = (url: string, responses: PageResponse[], changes: Partial<Boot> = {}) =>
    server.render(url, bootWith(changes), answering(responses));

  t.test('the help center by category', async (t) => {
    const { status, html } = await page('/help/', LISTS);
    t.equal(status, 200);
    t.match(html, /<h2[^>]*>First steps<\/h2>/);
    t.match(html, /<a[^>]* href="\/help\/7"[^>]*>Begin<\/a>/);
    t.match(html, '<link rel="canonical" href="https://square.example/help/">');
  });

  t.test('works with a service that lacks any of its calls', async (t) => {
    const cases: [string, PageResponse[], string][] = [
      [
        'no such call',
        [failed('listHelpArticles', 404), failed('listHelpCategories', 404)],
        'No articles yet',
      ],
      [
        'no categories',
        [LISTS[1] ?? failed('listHelpArticles', 404), failed('listHelpCategories', 502)],
        'Begin',
      ],
      [
        'a service that is away',
        [failed('listHelpArticles', 502), failed('listHelpCategories', 502)],
        'Try again',
      ],
      [
        'lists of another kind',
        LISTS.map((answer) => ({
          ...answer,
          ok: true as const,
          data: { article_list: [null, { id: 7 }, 'x'] },
        })),
        'No articles yet',
      ],
    ];
    for (const [what, responses, shown] of cases) {
      const { status, html } = await page('/help/', responses);
      t.equal(status, 200, what);
      t.match(html.replaceAll('&#x27;', '’'), shown, what);
    }
  });

  t.test('an article, and a missing one', async (t) => {
    const runs = [{ text: '<b>x</b>' }, { text: 'A sign', src: '/api/cmt/media/x-320.webp' }];
    const { status, html } = await page('/help/7', [articleOf([{ kind: 'paragraph', runs }]), ...LISTS]);
    t.equal(status, 200);
    t.match(html, '&lt;b&gt;x&lt;/b&gt;<img class="');
    t.equal((await page('/help/7', [articleOf(undefined), ...LISTS])).status, 200, 'without its text');
    t.equal((await page('/help/7', [failed('readHelpArticle', 404)])).status, 404);
    t.equal((await page('/help/nothing', [])).status, 404);
  });

  t.test('a search in the URL is rendered with the page', async (t) => {
    const found = (data: unknown): PageResponse => ({
      operation: 'searchHelpArticles',
      ok: true,
      data,
    });
    t.equal(server.target('/help/?q=%20pal%20&x=1'), '/help/?q=pal');
    t.equal(server.target('/help/?q='), '/help/');
    t.equal(
      new URL(server.target(`/help/?q=${'x'.repeat(500)}`), 'https://a.example').searchParams.get('q')
        ?.length,
      64,
    );
    const asked: PageQuery[] = [];
    await server.render('/help/?q=pal', bootWith(), async (query) => void asked.push(query));
    t.strictSame(asked, [{ operation: 'searchHelpArticles', payload: { keyword: 'pal' } }]);
    const hit = { ...entry, excerpt: 'Choose a <b>palette</b>.', excerpt_lang: 'en-US' };
    const { status, html } = await page('/help/?q=pal', [found({ article_list: [hit, null, 7] })]);
    t.equal(status, 200);
    t.match(html, /<h2[^>]*>1 article for “pal”<\/h2>/);
    t.match(html, /<a[^>]* href="\/help\/7"[^>]*>Begin<\/a>/);
    t.match(html, 'Choose a &lt;b&gt;palette&lt;/b&gt;.');
    t.match(html, /<input[^>]* name="q"[^>]* value="pal"/);
    t.match(html, '<meta name="robots" content="noindex">', 'not for search engines');
    t.match((await page('/help/?q=pal', [found({ article_list: [] })])).html, 'No articles for “pal”');
    t.match(
      (await page('/help/?q=pal', [found({})])).html,
      'No articles for “pal”',
      'an answer of another kind',
    );
    const without: PageResponse = { ...found({}), ok: false, status: 404, code: 'NOT_FOUND' };
    const [, list = without] = LISTS;
    const named = await page('/help/?q=BEG', [without, list]);
    t.match(named.html, /href="\/help\/7"[^>]*>Begin</, 'titles, without a search call');
    t.match(
      (await page('/help/?q=pal', [{ ...without, status: 502, code: 'UPSTREAM_UNAVAILABLE' }])).html,
      'Try again',
    );
  });

  t.test('a table is scrollable and named by its header', async (t) => {
    const table = {
      kind: 'table',
      align: ['right', null],
      head: [[{ text: 'Key' }], [{ text: '<i>' }]],
      rows: [[[{ text: 'F9' }], [{ text: 'opens', strong: true }]], [[]]],
    };
    const { html } = await page('/help/7', [articleOf([table]), ...LISTS]);
    t.match(html, /<section class="[^"]+" tabindex="0" aria-label="Key, &lt;i&gt;"><table>/i);
    t.match(html, '<th scope="col" data-align="right">Key</th><th scope="col">&lt;i&gt;</th>');
    t.match(
      html,
      '<td data-align="right">F9</td><td><strong>opens</strong></td></tr><tr><td data-align="right"></td></tr>',
    );
  });

  t.test('are not offered where another help center exists', async (t) => {
    for (const url of ['/help/', '/help/7'])
      t.equal((await page(url, [], { own_help: false })).status, 404, url);
  });
});

t.test('Help links to our own pages on a standalone site, in the reader’s language', async (t) => {
  const alone = { public_url: 'https://square.example', site_url: 'https://square.example', own_help: true };
  const whole = { ...alone, site_url: 'https://design.example' };
  for (const path of ['/help/', '/help/en/', '/help/jp/']) {
    t.equal(siteAddress(path, { ...alone, embedded: false }), '/help/');
    t.equal(siteAddress(path, { ...whole, embedded: false }), `https://design.example${path}`);
    t.equal(siteAddress(path, { ...alone, own_help: false, embedded: false }), path);
    const byItself = { public_url: alone.public_url, embedded: false };
    t.equal(siteAddress(path, { ...byItself, own_help: true }), '/help/');
    t.equal(siteAddress(path, { ...byItself, own_help: false }), undefined, 'unknown origin');
  }
});
