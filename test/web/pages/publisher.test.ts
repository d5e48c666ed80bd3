import t from 'tap';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { publisherHead } from '../../../web/pages/publisher/publisher-head.ts';
import { answering, pluginAt } from '../support/answers.ts';
import { bootWith } from '../support/boot.ts';
import { builtWeb } from '../support/build.ts';

const COVER = { key: 'a'.repeat(32), width: 1280, height: 720, widths: [320, 640, 1280] };
const PUBLISHER: Publisher = {
  user_id: 5,
  handle: 'icon-works',
  nick_name: 'Mei </script>',
  avatar_url: '/api/cmt/media/x-320.webp',
  about: 'Makes icons',
  about_lang: 'en-US',
  links: ['https://example.org/'],
  total: 3,
  total_estimated: false,
  install_count: 8,
  picture_list: [
    { icon: null, cover: null },
    { icon: null, cover: COVER },
  ],
};
const PAGE = { total: 1, total_estimated: false, next_cursor: null, plugin_list: [pluginAt(0)] };

t.test(
  'the head of a publisher page is a ProfilePage with its canonical address and a picture',
  async (t) => {
    const { data, ...head } = publisherHead(PUBLISHER, 'Makes icons');
    t.strictSame(head, {
      title: 'Mei </script>',
      description: 'Makes icons',
      canonical: '/plugins/publisher/icon-works',
      image: {
        path: `/api/cmt/media/${COVER.key}-1280.webp`,
        width: 1280,
        height: 720,
        alt: 'Mei </script>',
      },
      feed: { path: '/plugins/publisher.atom?publisher_id=5', title: 'Mei </script>' },
    });
    t.strictSame(
      data?.((path) => `https://square.example${path}`),
      {
        '@context': 'https://schema.org',
        '@type': 'ProfilePage',
        url: 'https://square.example/plugins/publisher/icon-works',
        mainEntity: {
          '@type': 'Person',
          name: 'Mei </script>',
          alternateName: 'icon-works',
          description: 'Makes icons',
          image: 'https://square.example/api/cmt/media/x-320.webp',
          sameAs: ['https://example.org/'],
          agentInteractionStatistic: {
            '@type': 'InteractionCounter',
            interactionType: { '@type': 'CreateAction' },
            userInteractionCount: 3,
          },
        },
      },
    );
  },
);

t.test('a rendered publisher page', async (t) => {
  const { entry } = await builtWeb();
  const page = (changes: Partial<Publisher> = {}) =>
    entry.render(
      '/plugins/publisher/icon-works',
      bootWith({ language: 'en-US' }),
      answering([
        { operation: 'readPublisher', ok: true, data: { ...PUBLISHER, ...changes } },
        { operation: 'listPublisherPlugins', ok: true, data: PAGE },
      ]),
    );

  t.test('has totals, texts, alternates, and links that pass no rank on', async (t) => {
    const { status, html } = await page();
    t.equal(status, 200);
    t.match(html, '<link rel="alternate" hreflang="ja"');
    t.match(html, '<link rel="canonical" href="https://square.example/plugins/publisher/icon-works">');
    t.match(html, '>3 plugins<');
    t.match(html, '>8 installs<');
    t.match(
      html,
      '<a href="https://example.org/" rel="nofollow ugc noopener" target="_blank">example.org</a>',
    );
    t.match(html, 'Makes icons');
    t.match(html, pluginAt(0).name);
    t.notMatch(html, 'Mei </script>');
  });

  t.test('links names of publishers on cards, where the service has pages of them', async (t) => {
    const card = pluginAt(0);
    const withHandle = { ...card, publisher: { ...card.publisher, handle: 'icon-works' } };
    const home = (plugin_list: object[]) =>
      entry.render(
        '/plugins/?keyword=grid',
        bootWith({ language: 'en-US' }),
        answering([
          { operation: 'listTags', ok: true, data: { tag_list: [] } },
          { operation: 'listPlugins', ok: true, data: { ...PAGE, plugin_list } },
        ]),
      );
    t.match((await home([withHandle])).html, 'href="/plugins/publisher/icon-works"');
    t.notMatch((await home([card])).html, '/plugins/publisher/');
  });

  t.test('is 404 for an unknown one', async (t) => {
    const { status, html } = await entry.render(
      '/plugins/publisher/nobody-here',
      bootWith({ language: 'en-US' }),
      answering([
        { operation: 'readPublisher', ok: false, status: 404, code: 'PUBLISHER_NOT_FOUND' },
        { operation: 'listPublisherPlugins', ok: false, status: 404, code: 'PUBLISHER_NOT_FOUND' },
      ]),
    );
    t.equal(status, 404);
    t.match(html, 'Publisher not found');
    t.match(html, '<meta name="robots" content="noindex">');
  });
});
