import { setImmediate as turn } from 'node:timers/promises';
import type { SoftwareApplication, WebSite, WithContext } from 'schema-dts';
import t from 'tap';
import type { Boot, FetchPageQuery, PageQuery } from '../../shared/boot.ts';
import type { PluginDetail } from '../../shared/entities/plugin.ts';
import { LANGUAGES } from '../../shared/languages.ts';
import {
  boundaryHydrated,
  firstViewHydrated,
  pauseUntilHydrated,
  registerBoundary,
} from '../../web/api/first-view.ts';
import type { BootData } from '../../web/boot-data.ts';
import { headTags } from '../../web/head-tags.ts';
import { answering, catalogue, changedCatalogue, pluginAt, pluginDetailOf } from './support/answers.ts';
import { ANONYMOUS, bootWith } from './support/boot.ts';
import { builtWeb } from './support/build.ts';

t.test('rendered pages', async (t) => {
  const HOME = '/plugins/';
  const first = pluginAt(0);
  const DETAIL = `/plugins/plugin/${first.plugin_key}`;
  const MISSING = '/plugins/plugin/missing-plugin';
  const LOGIN =
    '/user/login?redirect_uri=https%3A%2F%2Fsquare.example%2Fapi%2Fauth%2Fcallback&response_type=code';

  function bootOf(html: string): BootData {
    return JSON.parse(
      /<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null',
    );
  }

  t.test('pages rendered on the server', async (t) => {
    const { entry } = await builtWeb();
    const page = (url: string, changes: Partial<Boot> = {}, fetchQuery: FetchPageQuery = catalogue) =>
      entry.render(url, bootWith(changes), fetchQuery);
    /** The calls of a page. */
    const queriesOf = async (url: string): Promise<PageQuery[]> => {
      const asked: PageQuery[] = [];
      await page(url, {}, async (query) => void asked.push(query));
      return asked;
    };

    t.test('load the data of their first view', async (t) => {
      const operations = async (url: string) => (await queriesOf(url)).map(({ operation }) => operation);
      const lists = ['listTags', 'listPlugins'];
      const above = ['listBanners', 'listActiveSlots', 'listEditorsCollections', 'listRecommended'];
      t.strictSame(await operations(HOME), [...lists, ...above, 'listTrending', 'listTrending']);
      t.strictSame(await operations(`${HOME}?tag_id=2`), [...lists, 'readTagPage']);
      t.strictSame(await operations(`${HOME}?tag_id=2&reach=offline`), lists, 'nothing above filtered lists');
      t.strictSame(await operations(`${HOME}?keyword=grid`), lists, 'nothing above search results');
      const plugin_key = first.plugin_key;
      t.strictSame(await queriesOf(DETAIL), [
        { operation: 'readPlugin', payload: { plugin_key } },
        { operation: 'listVersions', payload: { plugin_key } },
        { operation: 'readContact', payload: {} },
      ]);
      t.strictSame(await operations(LOGIN), ['readSignInOptions']);
      t.strictSame(await operations('/plugins/backstage-index/audit-list'), ['verifyUser']);
      for (const url of ['/plugins/403', '/plugins/nowhere', '/user/login', '/', '//evil.example/plugins/']) {
        t.strictSame(await operations(url), [], url);
      }
    });

    t.test('editors have the names that the deployment gives them, others are not shown', async (t) => {
      const editor_types = ['pixso', 'figma', 'constructor'];
      const answer = changedCatalogue((data, operation) =>
        operation === 'readPlugin' ? { ...data, editor_types } : data,
      );
      const factsOf = async (changes: Partial<Boot>) =>
        (await page(DETAIL, changes, answer)).html.split('<script type="application/json"')[0];
      const editors = [{ id: 'pixso', name: 'Pixso' }];
      t.match(await factsOf({ editors }), /Works in<\/dt><dd[^>]*>Pixso<\/dd>/);
      t.notMatch(await factsOf({}), 'Works in');
    });

    t.test('an installed plugin is opened in the first editor that runs it and has an address', async (t) => {
      const editors = [
        { id: 'plain', name: 'Plain' },
        { id: 'board', name: 'Board', open_url: 'https://board.example/?plugin={plugin_key}' },
        { id: 'pixso', name: 'Pixso', open_url: 'pixso://plugins/{plugin_key}' },
      ];
      const addressOf = async (hosts: PluginDetail['hosts'], changes: Partial<Boot> = { editors }) => {
        const answer = changedCatalogue((data, operation) =>
          operation === 'readPlugin' ? { ...data, is_installed: true, hosts } : data,
        );
        const { html } = await page(DETAIL, changes, answer);
        return html.split('Open in editor')[0]?.split('href="').at(-1)?.split('"')[0];
      };
      const pixso = { host: 'pixso', range: '>=4', span: { from: '4.0', before: null } };
      const { plugin_key } = first;
      t.equal(await addressOf([]), `https://board.example/?plugin=${plugin_key}`);
      t.equal(await addressOf([pixso]), `pixso://plugins/${plugin_key}`);
      t.notMatch(await addressOf([{ ...pixso, host: 'plain' }]), plugin_key, 'the workbench');
    });

    t.test('versions of editors are put in words', async (t) => {
      const editors = [
        { id: 'pixso', name: 'Pixso' },
        { id: 'board', name: 'Board' },
      ];
      const wordsOf = async (hosts: PluginDetail['hosts'], language: Boot['language'] = 'en-US') => {
        const answer = changedCatalogue((data, operation) =>
          operation === 'readPlugin' ? { ...data, editor_types: ['board'], hosts } : data,
        );
        const { html } = await page(DETAIL, { editors, language }, answer);
        return /(?:Works in|Работает в)<\/dt><dd[^>]*>([^<]*)<\/dd>/.exec(html)?.[1]?.replaceAll('&gt;', '>');
      };
      const pixso = (from: string | null, before: string | null) => ({
        host: 'pixso',
        range: 'of tools',
        span: { from, before },
      });
      const other = { host: 'figma', range: '*', span: { from: null, before: null } };
      t.equal(await wordsOf([]), 'Board', 'by its type');
      t.equal(await wordsOf([pixso('4.2', null)]), 'Pixso 4.2 or later');
      t.equal(await wordsOf([pixso('4.2', null)], 'ru-RU'), 'Pixso 4.2 и новее');
      t.equal(await wordsOf([pixso(null, '5.0')]), 'Pixso before 5.0');
      t.equal(await wordsOf([pixso('4.2', '5.0')]), 'Pixso 4.2 or later, before 5.0');
      t.equal(await wordsOf([pixso(null, null), other]), 'Pixso', 'one without a name is not shown');
      const gaps = { host: 'board', range: '^3 || >=5', span: null };
      t.equal(await wordsOf([pixso('4.2', null), gaps]), 'Pixso 4.2 or later, Board (^3 || >=5)');
    });

    t.test('the backstage has its name once in the title', async (t) => {
      const titleOf = async (url: string) => /<title>(.*?)<\/title>/.exec((await page(url)).html)?.[1];
      t.equal(await titleOf('/plugins/backstage-index'), 'Admin · Plugin Square');
      t.equal(await titleOf('/plugins/backstage-index/nothing'), 'Admin · Plugin Square');
      t.match(await titleOf('/plugins/backstage-index/audit-list'), /^Plugin review · Admin · /);
    });

    t.test('depend only on the parameters that they read, normalized', async (t) => {
      for (const [asked, expected] of [
        ['/plugins/?x=1', '/plugins/'],
        ['/plugins/?sort=1&x=1&keyword=%20a%20b', '/plugins/?keyword=a+b&sort=1'],
        ['/plugins/?sort=0&tag_id=x&keyword=+', '/plugins/'],
        ['/plugins/?sort=0&keyword=a', '/plugins/?keyword=a&sort=0'],
        ['/plugins/?keyword=a&keyword=b', '/plugins/?keyword=a'],
        ['/plugins/?oauth2=1&code=c', '/plugins/'],
        ['/plugins/?embed=chat&x=1&lang=ru&client=desktop', '/plugins/?lang=ru&client=desktop&embed=chat'],
        [`${DETAIL}?keyword=a&lang=ja`, `${DETAIL}?lang=ja`],
        [
          '/plugins/protocol?plugin_key=x&login_error=CODE_INVALID',
          '/plugins/protocol?login_error=CODE_INVALID',
        ],
        ['/plugins/nowhere?keyword=a', '/plugins/nowhere'],
        [
          '/user/login?x=1&page=sign_up&redirect_uri=%2Fa%3Fb%3D1&ux_mode=popup',
          '/user/login?redirect_uri=%2Fa%3Fb%3D1&ux_mode=popup&page=sign_up',
        ],
        ['/user/login/bind?x=1&mainUrl=%2F&id=i', '/user/login/bind?id=i&mainUrl=%2F'],
        ['//evil.example/plugins/?x=1', '//evil.example/plugins/'],
        ['/plugins/?constructor=1&__proto__=2', '/plugins/'],
      ] as const) {
        t.equal(entry.target(asked), expected, asked);
        t.equal(entry.target(expected), expected, 'unchanged');
        const unknown = `${asked}&zzz=zzz`;
        t.notMatch((await page(entry.target(unknown))).html, 'zzz', asked);
      }
    });

    t.test('are complete documents in the language and theme of the visitor', async (t) => {
      for (const language of LANGUAGES) {
        const { status, html } = await page(HOME, { language, theme: 'dark' });
        t.equal(status, 200);
        t.match(html, `<html lang="${language}" data-theme="dark">`);
        t.match(html, /<title>[^<]+<\/title>/);
        t.match(html, first.name, 'has the list');
        t.notMatch(html, /\b(home|site|list|plugin|session)\.[a-z_]+\b(?=<)/, 'no text is missing');
      }
    });

    t.test('have their content first in reading order', async (t) => {
      t.match((await page(HOME)).html, /<div id="root"><a [^>]*href="#main"/);
    });

    t.test('have their dehydrated queries, with the time of the page', async (t) => {
      const { html } = await page(HOME);
      const { session, ...site } = bootWith();
      const { site: carried, dehydrated } = bootOf(html);
      t.strictSame(carried, site);
      const dataOf = (operation: string) =>
        dehydrated.queries.find(({ queryKey }) => queryKey[0] === operation)?.state.data;
      t.strictSame(dataOf('readSession'), ANONYMOUS);
      t.hasStrict(dataOf('listPlugins'), {
        pages: [{ plugin_list: [{ name: first.name }] }],
        pageParams: [null],
      });
      t.hasStrict(dataOf('listTags'), { tag_list: [{ name: 'Icons' }] });
      t.equal((await page(HOME)).html, html, 'the same data gives the same document');
    });

    t.test('have failed queries, but no pending ones', async (t) => {
      const failure = { ok: false as const, status: 502, code: 'UPSTREAM_UNAVAILABLE' as const };
      const { html } = await page(HOME, {}, answering([{ operation: 'listTags', ...failure }]));
      const { queries } = bootOf(html).dehydrated;
      t.strictSame(
        queries.map(({ queryKey: [operation], state }) => [operation, state.status]),
        [
          ['readSession', 'success'],
          ['listTags', 'error'],
        ],
      );
      t.hasStrict(queries[1]?.state.error, { status: 502, reason: 'UPSTREAM_UNAVAILABLE' });
    });

    t.test('of a plugin have share cards', async (t) => {
      const { status, html } = await page(DETAIL);
      t.equal(status, 200);
      t.match(html, `<link rel="canonical" href="https://square.example${DETAIL}">`);
      t.match(html, /<meta property="og:title" content="Grid Maker 1/);
      t.match(html, `<meta property="og:url" content="https://square.example${DETAIL}">`);
      t.match(html, /<meta name="description" content="[^"]+">/);
      t.notMatch(html, 'noindex');
    });

    t.test('that do not exist are 404 and not indexed', async (t) => {
      for (const url of ['/plugins/nowhere', '/plugins/plugin', '/plugins/403/x', MISSING]) {
        const { status, html } = await page(url);
        t.equal(status, 404, url);
        t.match(html, '<meta name="robots" content="noindex">', url);
        t.notMatch(html, 'rel="canonical"', url);
      }
    });

    t.test('without permission show that', async (t) => {
      const { status, html } = await page('/plugins/403');
      t.equal(status, 403);
      t.match(html, 'The current account has no permission.');
      t.match(html, 'You do not have permission to access this page');
      t.match(html, /<a [^>]*href="\/plugins\/"[^>]*>Back to home/);
    });

    t.test('whose data failed offer a retry', async (t) => {
      const failing: FetchPageQuery = async () => ({ ok: false, status: 502, code: 'UPSTREAM_UNAVAILABLE' });
      const { status, html } = await page(HOME, {}, failing);
      t.equal(status, 200);
      t.match(html, 'role="alert"');
    });

    t.test('that fail in a boundary are not sent', async (t) => {
      await t.rejects(
        page(HOME, {}, async () => ({ ok: true, data: {} })),
        TypeError,
      );
    });

    t.test('with late data show skeletons', async (t) => {
      const { status, html } = await page(HOME, {}, async () => undefined);
      t.equal(status, 200);
      t.notMatch(html, 'role="alert"');
    });

    t.test(
      'show sign-in to visitors, a name to signed-in users, and neither while the viewer is unknown',
      async (t) => {
        const user = { ...USER, nick_name: 'Мария' };
        const session = { signed_in: true, user, role: 0 as const, login_method: null, expires_at: null };
        const anonymous = (await page(HOME)).html;
        t.match(anonymous, `href="/api/auth/login?return_to=%2Fplugins%2F&amp;ux_mode=redirect"`);
        const signedIn = (await page(HOME, { session })).html;
        t.match(signedIn, 'Мария’s account menu');
        t.notMatch(signedIn, 'href="/api/auth/login');
        const unknown = (await page(HOME, { session: null })).html;
        t.notMatch(unknown, 'href="/api/auth/login');
        t.notMatch(unknown, 'account menu');
      },
    );

    t.test('have no language menu with only one language', async (t) => {
      t.match((await page(HOME)).html, 'aria-label="Language:');
      t.notMatch((await page(HOME, { languages: ['en-US'] })).html, 'aria-label="Language:');
    });

    t.test('to sign in show a form only with a return URL', async (t) => {
      const known = await page(LOGIN);
      t.equal(known.status, 200);
      t.match(known.html, 'autoComplete="current-password"');
      t.match(known.html, /<form[^>]* method="post"/, 'a password is never part of a URL');
      const signUp = (await page(`${LOGIN}&page=sign_up`)).html;
      t.match(signUp, 'autoComplete="new-password"');
      const lost = await page('/user/login');
      t.equal(lost.status, 200);
      t.notMatch(lost.html, '<form');
    });

    t.test('escape hostile texts', async (t) => {
      const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'\u2028\u2029<!--`;
      const card = { ...first, name: evil, intro: evil, publisher: { ...first.publisher, nick_name: evil } };
      const hostile = changedCatalogue((data, operation) =>
        operation === 'readPlugin' ? { ...pluginDetailOf(card), description: evil, support: evil } : data,
      );
      const { html } = await page(DETAIL, {}, hostile);
      t.notMatch(html, '<script>alert');
      t.notMatch(html, '<img src=x');
      t.notMatch(html, /[\u2028\u2029](?=[^<]*<\/script>)/);
      const boot = /id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
      t.notMatch(boot, /[<>\u2028\u2029]/);
      const detail = bootOf(html).dehydrated.queries.find(({ queryKey }) => queryKey[0] === 'readPlugin');
      t.hasStrict(detail?.state.data, { name: evil }, 'unchanged after reading');
      t.notMatch(html, /href="javascript:/i);
    });

    t.test('say on cards how many of the installs are active, where it is known', async (t) => {
      // Not in a row above the list, which would leave it out.
      const counted = { ...pluginAt(20), install_count: 1234, active_count: 56 };
      const answer = changedCatalogue((data, operation) =>
        operation === 'listPlugins' ? { ...data, total: 1, plugin_list: [counted] } : data,
      );
      t.match((await page(HOME, {}, answer)).html, />1,234 installs, 56 active</);
      t.notMatch((await page(HOME)).html, / active</);
    });

    t.test('say what they are about in the terms of schema.org', async (t) => {
      const dataOf = (html: string): unknown =>
        JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
      t.strictSame(dataOf((await page(HOME)).html), {
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: 'Plugin Square',
        url: 'https://square.example/plugins/',
      } satisfies WithContext<WebSite>);
      t.equal(dataOf((await page(`${HOME}?keyword=grid`)).html), null, 'nothing that must not be indexed');
      t.equal(dataOf((await page(MISSING)).html), null);
      const picture = { key: 'a'.repeat(32), width: 800, height: 600, widths: [320, 640] };
      const card = { ...first, name: 'Grid </script>', icon: picture };
      const answer = changedCatalogue((data, operation) =>
        operation === 'readPlugin'
          ? {
              ...pluginDetailOf(card),
              media: [
                { kind: 'image', picture: { ...picture, key: 'b'.repeat(32) } },
                { kind: 'image', picture: { ...picture, key: 'c'.repeat(32) }, is_before: true },
              ],
              permissions: ['currentuser'],
              allowed_domains: ['api.example'],
            }
          : data,
      );
      t.strictSame(dataOf((await page(DETAIL, {}, answer)).html), {
        '@context': 'https://schema.org',
        '@type': 'SoftwareApplication',
        name: 'Grid </script>',
        description: 'Takes the tedious part of the work off your hands, one click at a time.',
        url: 'https://square.example/plugins/plugin/plugin000000',
        applicationCategory: 'DesignApplication',
        offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' },
        interactionStatistic: {
          '@type': 'InteractionCounter',
          interactionType: { '@type': 'InstallAction' },
          userInteractionCount: 0,
        },
        softwareVersion: '1.2.0',
        datePublished: '2025-04-15T12:00:00.000Z',
        dateModified: '2026-05-20T12:00:00.000Z',
        author: { '@type': 'Person', name: 'Publisher 0' },
        inLanguage: ['en-US', 'zh-CN'],
        keywords: 'Icons',
        permissions: 'currentuser, api.example',
        image: `https://square.example/api/cmt/media/${'a'.repeat(32)}-640.webp`,
        screenshot: [`https://square.example/api/cmt/media/${'b'.repeat(32)}-640.webp`],
      } satisfies WithContext<SoftwareApplication>);
      const sparse = changedCatalogue((data, operation) =>
        operation === 'readPlugin'
          ? {
              ...pluginDetailOf(first),
              version: '',
              tags: [],
              languages: [],
              publisher: { ...first.publisher, nick_name: '' },
            }
          : data,
      );
      const unknown = [
        'softwareVersion',
        'keywords',
        'inLanguage',
        'author',
        'image',
        'screenshot',
        'permissions',
      ];
      const known = Object.keys(Object(dataOf((await page(DETAIL, {}, sparse)).html)));
      t.strictSame(
        known.filter((name) => unknown.includes(name)),
        [],
      );
      t.equal(known.length, 10);
    });

    t.test('survive hostile URLs', async (t) => {
      const query = `${HOME}?keyword=%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&tag=%00&sort=9`;
      t.notMatch((await page(query)).html, '<script>alert');
      for (const url of ['/plugins/%E0%A4%A', '/plugins/plugin/%00', `/plugins/${'a'.repeat(5000)}`]) {
        t.equal((await page(url)).status, 404, url.slice(0, 40));
      }
    });
  });

  const USER = {
    user_id: 7,
    user_name: 'mei',
    nick_name: 'Mei',
    email: 'mei@example.com',
    mobile: '',
    sex: 0,
    birthday: '',
    channel: '',
    tencent_docs: false,
    avatar_url: '',
    created_at: '',
    department: '',
    e_id: 0,
    is_administrator: false,
    is_owner: false,
    staff_status: 0,
    account_id: 0,
    identification: '',
  };
});

t.test('head tags', async (t) => {
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
      tagsOf(PATH, HEAD, site).flatMap(
        (tag) => /hreflang="([^"]*)" href="([^"]*)"/.exec(tag)?.slice(1) ?? [],
      );
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

  t.test('the feed of a page is named, also where it is not indexed, but not of a failed page', async (t) => {
    const feed = { feed: { path: '/plugins/latest.atom?tag_id=5', title: 'Nets & grids' } };
    const feeds = (head: Parameters<typeof headTags>[1]) =>
      tagsOf(PATH, head).filter((tag) => tag.includes('atom+xml'));
    const link =
      '<link rel="alternate" type="application/atom+xml" title="Nets &amp; grids" href="https://square.example/plugins/latest.atom?tag_id=5&amp;lang=ru">';
    t.strictSame(feeds({ ...HEAD, ...feed }), [link]);
    t.strictSame(feeds({ fullTitle: 'Layout', ...feed }), [link]);
    t.strictSame(feeds({ ...HEAD, ...feed, status: 410 }), []);
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
});

t.test('first view', async (t) => {
  /** Whether code that waits for hydration may continue. */
  async function isHydrated(): Promise<boolean> {
    return Promise.race([firstViewHydrated().then(() => true), turn(false)]);
  }

  t.test('without server rendering nothing waits', async (t) => {
    t.ok(await isHydrated());
  });

  t.test('a page without boundaries is complete once it is hydrated', async (t) => {
    pauseUntilHydrated();
    t.notOk(await isHydrated());
    boundaryHydrated();
    t.ok(await isHydrated());
  });

  t.test('a page is complete once the last boundary is hydrated or unmounted', async (t) => {
    pauseUntilHydrated();
    const [header, page, list] = [{}, {}, {}];
    registerBoundary(header);
    registerBoundary(page);
    boundaryHydrated();
    boundaryHydrated(header);
    registerBoundary(list);
    boundaryHydrated(page);
    t.notOk(await isHydrated(), 'the list is part of the page');
    boundaryHydrated(list);
    t.ok(await isHydrated());
    registerBoundary({});
    t.ok(await isHydrated(), 'later boundaries delay nothing');
  });
});
