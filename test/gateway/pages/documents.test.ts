import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Value } from 'typebox/value';
import { readProtocolTexts } from '../../../server/gateway/pages/documents.ts';
import { titledBlocksOf } from '../../../server/markdown/blocks.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { startGateway } from '../../support/gateway.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';

t.test('protocol', async (t) => {
  const SITE = { deployType: 'domestic', languages: LANGUAGES, protocolDir: undefined } as const;

  async function folderWith(
    t: Parameters<typeof startGateway>[0],
    files: Record<string, string | Buffer>,
  ): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'plugin-square-protocol-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return folder;
  }

  t.test('our own text exists in every language, in the same order', async (t) => {
    const protocolIn = await readProtocolTexts(SITE);
    const shape = async (lang: (typeof LANGUAGES)[number]) =>
      (await protocolIn(lang)).blocks.map((block) =>
        block.kind === 'list' ? `list ${block.items.length}` : block.kind,
      );
    for (const language of LANGUAGES) {
      const protocol = await protocolIn(language);
      t.equal(protocol.lang, language);
      t.ok(protocol.title, language);
      t.ok(Value.Check(docsRoutes.readProtocol.data, protocol), language);
      t.strictSame(await shape(language), await shape('en-US'), language);
    }
  });

  t.test('a deployment’s own texts replace ours, with language fallback', async (t) => {
    const protocolDir = await folderWith(t, {
      'ja-JP.md': '# 規約\n',
      'zh-CN.md': '﻿# 协议\n',
      'notes.txt': 'x',
    });
    const protocolIn = await readProtocolTexts({ ...SITE, protocolDir });
    t.hasStrict(await protocolIn('ja-JP'), { lang: 'ja-JP', title: '規約' });
    t.hasStrict(await protocolIn('ru-RU'), { lang: 'zh-CN', title: '协议' }, 'the language of the site');
    const abroad = await readProtocolTexts({
      ...SITE,
      deployType: 'overseas',
      languages: ['en-US', 'ja-JP'],
      protocolDir,
    });
    t.hasStrict(
      await abroad('en-US'),
      { lang: 'zh-CN' },
      'any language, if there is neither the site’s nor English',
    );
  });

  t.test('an invalid folder stops the start with a clear message', async (t) => {
    const folder = await folderWith(t, {
      'en-US.md': Buffer.alloc(256 * 1024 + 1, 'a'),
    });
    const cases: [title: string, dir: string, message: RegExp][] = [
      ['not there', join(folder, 'nowhere'), /PROTOCOL_DIR .*nowhere cannot be read \(ENOENT\)\./],
      ['a file', join(folder, 'en-US.md'), /PROTOCOL_DIR .*en-US\.md cannot be read \(ENOTDIR\)\./],
      ['too long a text', folder, /en-US\.md is larger than 256 KiB\./],
      [
        'no text',
        await folderWith(t, { 'readme.md': 'x' }),
        /holds no text: name at least one zh-CN\.md, en-US\.md/,
      ],
      ['an empty text', await folderWith(t, { 'en-US.md': ' \n' }), /en-US\.md is empty\./],
      [
        'no UTF-8',
        await folderWith(t, { 'en-US.md': Buffer.from([0x23, 0x20, 0xff, 0xfe]) }),
        /en-US\.md is not UTF-8\./,
      ],
    ];
    for (const [title, protocolDir, message] of cases) {
      await t.rejects(readProtocolTexts({ ...SITE, protocolDir }), { name: 'StartError', message }, title);
    }
    const odd = await folderWith(t, {});
    await mkdir(join(odd, 'en-US.md'));
    await t.rejects(readProtocolTexts({ ...SITE, protocolDir: odd }), {
      message: /en-US\.md cannot be read \(EISDIR\)\./,
    });
  });

  t.test('Markdown becomes text only', async (t) => {
    const read = (text: string) => titledBlocksOf(text).blocks;
    t.strictSame(read('<script>alert(1)</script>'), [
      { kind: 'paragraph', runs: [{ text: '<script>alert(1)</script>' }] },
    ]);
    t.strictSame(read('a <b onclick="x()">b</b>'), [
      {
        kind: 'paragraph',
        runs: [{ text: 'a ' }, { text: '<b onclick="x()">' }, { text: 'b' }, { text: '</b>' }],
      },
    ]);
    t.strictSame(read('<!-- a note -->\n\ntext'), [{ kind: 'paragraph', runs: [{ text: 'text' }] }]);
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'https://a@evil.example/',
      '&#106;avascript:x',
      'vbscript:x',
    ]) {
      t.strictSame(read(`[here](${address})`), [{ kind: 'paragraph', runs: [{ text: 'here' }] }], address);
    }
    t.strictSame(read('[a](https://example.org/x?y=1&z) [b][ref] [c](/plugins/)\n\n[ref]: /help/\n'), [
      {
        kind: 'paragraph',
        runs: [
          { text: 'a', href: 'https://example.org/x?y=1&z' },
          { text: ' ' },
          { text: 'b', href: '/help/' },
          { text: ' ' },
          { text: 'c', href: '/plugins/' },
        ],
      },
    ]);
    t.strictSame(read('![a picture](https://evil.example/x.png)'), [
      { kind: 'paragraph', runs: [{ text: 'a picture' }] },
    ]);
  });

  t.test('headings, lists and inline formatting', async (t) => {
    const { title, blocks } = titledBlocksOf(
      '# The *title*\n\n## One\n\n**bold** and *slanted*  \nnext\n\n1. a\n   - b\n     - c\n\n   more\n2. d\n\n---\n\n###### Deep\n\n> quoted\n',
    );
    t.equal(title, 'The title');
    t.strictSame(blocks, [
      { kind: 'heading', level: 2, id: 'section-1', runs: [{ text: 'One' }] },
      {
        kind: 'paragraph',
        runs: [
          { text: 'bold', strong: true },
          { text: ' and ' },
          { text: 'slanted', emphasis: true },
          { text: '\n' },
          { text: 'next' },
        ],
      },
      {
        kind: 'list',
        ordered: true,
        items: [
          { depth: 0, runs: [{ text: 'a' }, { text: '\n' }, { text: 'more' }] },
          { depth: 1, runs: [{ text: 'b' }] },
          { depth: 1, runs: [{ text: 'c' }] },
          { depth: 0, runs: [{ text: 'd' }] },
        ],
      },
      { kind: 'rule' },
      { kind: 'heading', level: 4, id: 'section-2', runs: [{ text: 'Deep' }] },
      { kind: 'paragraph', runs: [{ text: 'quoted' }] },
    ]);
    t.strictSame(titledBlocksOf('text').title, null);
  });

  t.test('tables', async (t) => {
    const read = (text: string) => titledBlocksOf(text).blocks;
    t.strictSame(
      read(
        '| Plan | *Seats* | Price |\n|:--|:-:|--:|\n| **Team** | 5 | [9](/price/) | more |\n| <b>One</b> |\n\nafter',
      ),
      [
        {
          kind: 'table',
          align: ['left', 'center', 'right'],
          head: [[{ text: 'Plan' }], [{ text: 'Seats', emphasis: true }], [{ text: 'Price' }]],
          rows: [
            [[{ text: 'Team', strong: true }], [{ text: '5' }], [{ text: '9', href: '/price/' }]],
            [[{ text: '<b>' }, { text: 'One' }, { text: '</b>' }]],
          ],
        },
        { kind: 'paragraph', runs: [{ text: 'after' }] },
      ],
    );
    t.hasStrict(read('a | b\n--- | ---\n[x](javascript:alert(1)) | `c | d`'), [
      { kind: 'table', align: [null, null], rows: [[[{ text: 'x' }], [{ text: '`c' }]]] },
    ]);
    t.hasStrict(read('a | b\n--- | ---\n1 | `c \\| d`'), [
      { rows: [[[{ text: '1' }], [{ text: 'c | d', code: true }]]] },
    ]);
    t.hasStrict(read('> | a |\n> |---|\n> | b |'), [{ kind: 'table', rows: [[[{ text: 'b' }]]] }]);
    t.hasStrict(read('- before\n\n  | a | b |\n  |---|---|\n  | c | d |'), [
      {
        kind: 'list',
        items: [
          {
            runs: [
              { text: 'before' },
              { text: '\n' },
              { text: 'a' },
              { text: ' · ' },
              { text: 'b' },
              { text: '\n' },
              { text: 'c' },
              { text: ' · ' },
              { text: 'd' },
            ],
          },
        ],
      },
    ]);
    t.hasStrict(read('a | b\nc | d'), [{ kind: 'paragraph' }], 'without a delimiter row it is not a table');
  });

  t.test('the text is part of the page, and has its own call', async (t) => {
    const PROTOCOL_DIR = await folderWith(t, { 'ru-RU.md': '# Условия\n\nТекст\n' });
    const gateway = await startGateway(t, {
      settings: { PROTOCOL_DIR },
      queries: [{ operation: 'readProtocol', payload: {} }],
    });
    const data = {
      lang: 'ru-RU',
      title: 'Условия',
      blocks: [{ kind: 'paragraph', runs: [{ text: 'Текст' }] }],
    };
    const page = await gateway.browser().visit('/plugins/protocol');
    const boot = JSON.parse(/id="boot">(.*)<\/script>/.exec(page.text)?.[1] ?? '{}');
    t.strictSame(boot.answered, [{ operation: 'readProtocol', payload: {}, ok: true, data }]);
    const answer = await gateway.browser().call('/api/protocol');
    t.equal(answer.status, 200);
    t.strictSame(answer.json(), { code: 0, message: 'ok', data });
    t.equal(gateway.community.requests.length, 0, 'no other request');
  });
});

t.test('help center', async (t) => {
  const LIST = 'GET /api/helpcenter/article/list';
  const QUERIES = [
    { operation: 'listHelpArticles', payload: {} },
    { operation: 'readHelpArticle', payload: { id: 7 } },
  ] as const;

  type Test = Parameters<typeof startGateway>[0];

  /** A gateway whose help center is its community, which is the default. */
  async function ownHelp(t: Test, settings: Record<string, string> = {}) {
    const service = await startStub(t);
    const gateway = await startGateway(t, {
      settings,
      upstreams: { community: service.url, helpcenter: service.url },
      queries: QUERIES,
    });
    return { gateway, service };
  }

  function bootOf(html: string) {
    return JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}');
  }

  t.test('help pages contain their articles and are shared', async (t) => {
    const { gateway, service } = await ownHelp(t);
    service.on(LIST, ({ headers }) => ({ article_list: [{ id: 7, title: headers['accept-language'] }] }));
    service.on('GET /api/helpcenter/article/7', () =>
      stubAnswer(404, { code: 'ARTICLE_NOT_FOUND', message: '' }),
    );
    const visitor = { headers: { 'accept-language': 'es' } };
    const boot = bootOf((await gateway.browser().visit('/help/', visitor)).text);
    t.equal(boot.own_help, true);
    const article = { id: 7, category_id: null, title: 'es-ES', lang: 'es-ES', updated_at: '' };
    t.strictSame(boot.answered, [
      { ...QUERIES[0], ok: true, data: { article_list: [article] } },
      { ...QUERIES[1], ok: false, status: 404, code: 'ARTICLE_NOT_FOUND' },
    ]);
    for (const path of ['/help', '/help/7']) await gateway.browser().visit(path, visitor);
    t.equal(service.seen(LIST).length, 1);
    const asked = await gateway.browser().visit('/help/7', { headers: { accept: '*/*' } });
    t.equal(asked.status, 200, 'crawlers get them as well');
  });

  t.test('URLs with a language redirect to the page in that language', async (t) => {
    const { gateway } = await ownHelp(t, { DEPLOY_TYPE: 'overseas' });
    for (const [path, to] of [
      ['/help/en/', '/help/?lang=en'],
      ['/help/jp/', '/help/?lang=jp'],
      ['/help/kr', '/help/?lang=kr'],
      ['/help/es/?from=mail', '/help/?from=mail&lang=es'],
      ['/help/jp/7', '/help/7?lang=jp'],
    ] as const) {
      const answer = await gateway.browser().visit(path);
      t.strictSame([answer.status, answer.headers.location], [302, to], path);
    }
    t.equal(bootOf((await gateway.browser().visit('/help/?lang=kr')).text).language, 'ko-KR');
  });

  t.test('an external help center is not read', async (t) => {
    const gateway = await startGateway(t, { queries: QUERIES });
    gateway.helpcenter.otherwise(() => ({ article_list: 'of another kind' }));
    const boot = bootOf((await gateway.browser().visit('/help/', { headers: { accept: 'text/html' } })).text);
    t.strictSame([boot.own_help, boot.answered], [false, []]);
    t.equal((await gateway.browser().visit('/help/jp/', { headers: { accept: '*/*' } })).status, 404);
    t.strictSame(gateway.helpcenter.requests, []);
  });

  t.test('articles are in the sitemap, and are left out if the help center fails', async (t) => {
    const { gateway, service } = await ownHelp(t, {
      PUBLIC_URL: 'https://square.example',
      DEPLOY_TYPE: 'overseas',
    });
    const pages = async () => {
      gateway.clock.ahead += 60 * 60 * 1000;
      await gateway.browser().visit('/plugins/sitemap-pages.xml');
      gateway.clock.ahead += 60 * 60 * 1000;
      const { status, text } = await gateway.browser().visit('/plugins/sitemap-pages.xml');
      return [
        status,
        [...text.matchAll(/<loc>https:\/\/square\.example([^<]*)<\/loc>/g)].map((match) => match[1]),
      ];
    };
    const own = [
      '/plugins/',
      '/plugins/collections',
      '/plugins/publishing',
      '/plugins/protocol',
      '/plugins/docs/',
    ];
    service.on(LIST, () => stubAnswer(404, { code: 'NOT_FOUND', message: '' }));
    t.strictSame(await pages(), [200, own]);
    service.on(LIST, () => ({ article_list: 'none' }));
    t.strictSame(await pages(), [200, own]);
    service.on(LIST, () => ({
      article_list: [{ id: 7, updated_at: '2026-01-02T03:04:05.000Z' }, { id: 'x' }, null],
    }));
    t.strictSame(await pages(), [200, [...own, '/help/', '/help/7']]);
  });
});
