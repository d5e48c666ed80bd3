import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import sharp from 'sharp';
import t from 'tap';
import { loadCatalogue, packageOf, picturePath } from '../../../demo/catalogue.ts';
import { loadFirstContent } from '../../../server/community/first-content/first-content.ts';
import { blocksOf } from '../../../server/markdown/blocks.ts';
import { isLanguage, LANGUAGES, type Texts } from '../../../shared/languages.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { compareVersions } from '../../../shared/package/version.ts';

t.test('plugins', async (t) => {
  const catalogue = loadCatalogue();
  const { plugins, tags, banners, featured, activity, publishers } = catalogue;
  const pictures = globSync(join(dirname(picturePath('activity')), '**/*.webp'));
  const symbols = (text: string): number => [...text].length;
  const languagesOf = (texts: Texts): string[] => Object.keys(texts);

  t.test('has enough content for a first visit', async (t) => {
    t.ok(plugins.length >= 60, `${plugins.length} plugins`);
    t.equal(tags.length, 10);
    t.equal(banners.length, 4);
    t.equal(featured.length, 4);
    t.equal(activity.activity_id, 30);
    t.ok(activity.view_num > 9999 || activity.participate_num > 9999);
    t.ok(publishers.length >= 12);
    const shown = plugins.filter(({ screens }) => screens.length === 3);
    t.ok(shown.length >= 30, `${shown.length} are shown at work`);
    t.strictSame(
      catalogue.slots.filter((slug) => !shown.some((plugin) => plugin.slug === slug)),
      [],
      'what editors feature is',
    );
    const recommended = plugins.filter((plugin) => plugin.recommended);
    t.ok(recommended.length >= 12, `${recommended.length} recommended`);
    for (const tag of tags) {
      const held = plugins.filter((plugin) => plugin.tags.includes(tag.code)).length;
      t.ok(held >= 5, `${tag.code} holds ${held}`);
    }
  });

  t.test('texts are within the limits and in known languages', async (t) => {
    const within = (texts: Texts, limit: number, what: string): void => {
      for (const [language, text] of Object.entries(texts)) {
        t.ok(isLanguage(language), `${what} ${language}`);
        t.ok(
          text.trim() === text && symbols(text) > 0 && symbols(text) <= limit,
          `${what} ${language} length`,
        );
      }
    };
    for (const plugin of plugins) {
      within(plugin.name, 64, `${plugin.slug} name`);
      within(plugin.intro, 120, `${plugin.slug} intro`);
      within(plugin.description, 5000, `${plugin.slug} description`);
      for (const version of plugin.versions) within(version.note, 2000, `${plugin.slug} ${version.version}`);
      t.ok(symbols(plugin.contact) <= 120, `${plugin.slug} contact`);
      t.strictSame(languagesOf(plugin.name), [...LANGUAGES], `${plugin.slug} name in all languages`);
      t.strictSame(languagesOf(plugin.intro), [...LANGUAGES], `${plugin.slug} intro in all languages`);
      t.strictSame(
        languagesOf(plugin.description),
        [...LANGUAGES],
        `${plugin.slug} described in all languages`,
      );
      for (const text of Object.values(plugin.description))
        t.equal(text.split('\n\n').length, plugin.description['en-US']?.split('\n\n').length, plugin.slug);
    }
    for (const { title } of [...banners, ...featured, activity]) {
      within(title, 64, 'title');
      t.strictSame(languagesOf(title), [...LANGUAGES]);
    }
    for (const tag of tags) t.strictSame(languagesOf(tag.name), [...LANGUAGES], tag.code);
  });

  t.test('version notes are in all six languages, each in its script', async (t) => {
    const scripts = {
      'zh-CN': /\p{Script=Han}/u,
      'en-US': /\p{Script=Latin}/u,
      'ja-JP': /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
      'ko-KR': /\p{Script=Hangul}/u,
      'ru-RU': /\p{Script=Cyrillic}/u,
      'es-ES': /\p{Script=Latin}/u,
    };
    for (const { slug, versions } of plugins) {
      for (const { version, note } of versions) {
        t.strictSame(languagesOf(note), [...LANGUAGES], `${slug} ${version}`);
        for (const language of LANGUAGES) {
          t.match(note[language] ?? '', scripts[language], `${slug} ${version} ${language}`);
        }
      }
    }
  });

  t.test('has no duplicates', async (t) => {
    const unique = (values: string[], what: string): void => {
      t.equal(new Set(values).size, values.length, what);
    };
    unique(
      plugins.map((plugin) => plugin.slug),
      'slugs',
    );
    unique(
      tags.map((tag) => tag.code),
      'tag codes',
    );
    unique(
      publishers.map((publisher) => publisher.nick_name),
      'publishers',
    );
    for (const language of LANGUAGES) {
      unique(
        plugins.map((plugin) => plugin.name[language] ?? plugin.slug),
        `names in ${language}`,
      );
      unique(
        plugins.map((plugin) => plugin.intro[language] ?? plugin.slug),
        `intros in ${language}`,
      );
    }
    unique(
      pictures.map((path) => createHash('sha256').update(readFileSync(path)).digest('hex')),
      'pictures',
    );
  });

  t.test('references and numbers are consistent', async (t) => {
    const codes = new Set(tags.map((tag) => tag.code));
    const slugs = new Set(plugins.map((plugin) => plugin.slug));
    t.strictSame(
      tags.map((tag) => tag.id),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
    for (const plugin of plugins) {
      t.ok(
        plugin.tags.every((code) => codes.has(code)),
        `${plugin.slug} tags`,
      );
      t.equal(new Set(plugin.tags).size, plugin.tags.length, `${plugin.slug} tags differ`);
      t.ok(plugin.likes < plugin.installs && plugin.installs < plugin.views, `${plugin.slug} figures`);
      plugin.versions.slice(1).forEach((version, index) => {
        const before = plugin.versions[index];
        const order = version.version.localeCompare(before?.version ?? '', 'en', { numeric: true });
        t.equal(order, 1, `${plugin.slug} ${version.version} follows ${before?.version}`);
        t.ok(version.days_ago < (before?.days_ago ?? 0), `${plugin.slug} ${version.version} is newer`);
      });
      t.equal(plugin.versions.at(-1)?.days_ago, plugin.updated_days_ago, `${plugin.slug} last update`);
    }
    for (const { redirect } of banners) {
      if ('plugin' in redirect) t.ok(slugs.has(redirect.plugin), redirect.plugin);
    }
  });

  t.test('has names of one and two characters, and of other widths, for search', async (t) => {
    const named = (language: (typeof LANGUAGES)[number]): Set<string | undefined> =>
      new Set(plugins.map((plugin) => plugin.name[language]));
    for (const word of ['色', '表', '图标', '字体']) t.ok(named('zh-CN').has(word), word);
    t.ok(named('ja-JP').has('アイコン') && named('ja-JP').has('色'));
    t.ok(named('ko-KR').has('아이콘') && named('ko-KR').has('색상'));
    t.ok([...named('zh-CN')].some((name) => name?.includes('ＡＢＣ')));
    t.ok([...named('ja-JP')].some((name) => name?.includes('ｶﾅ')));
    t.ok([...named('en-US')].some((name) => name?.includes('è')));
  });

  t.test('every picture is complete, and none is unused', async (t) => {
    const { submissions } = catalogue;
    const slugs = new Set([...plugins, ...submissions.map(({ plugin }) => plugin)].map(({ slug }) => slug));
    const wanted = [
      ...[...slugs].flatMap((slug) => [
        { name: `icons/${slug}`, size: [320, 320] },
        { name: `covers/${slug}`, size: [1280, 720] },
      ]),
      ...banners.map(({ id }) => ({ name: `banners/${id}`, size: [1600, 400] })),
      ...featured.map(({ id }) => ({ name: `works/${id}`, size: [800, 600] })),
      ...plugins.flatMap(({ slug, screens }) =>
        screens.map((_, index) => ({ name: `screens/${slug}-${index + 1}`, size: [1280, 800] })),
      ),
      { name: 'activity', size: [1280, 720] },
    ];
    for (const { name, size } of wanted) {
      const { format, width, height } = await sharp(picturePath(name)).metadata();
      t.strictSame([format, width, height], ['webp', ...size], name);
      const { channels } = await sharp(picturePath(name)).stats();
      t.ok(
        channels.slice(0, 3).some(({ stdev }) => stdev > 3),
        `${name} shows something`,
      );
    }
    t.strictSame(pictures.toSorted(), wanted.map(({ name }) => picturePath(name)).toSorted());
    const bytes = pictures.reduce((sum, path) => sum + readFileSync(path).length, 0);
    t.ok(bytes < 6_000_000, `${bytes} bytes`);
  });

  t.test('white text is readable on the left third of every banner', async (t) => {
    const linear = (channel: number): number =>
      channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    for (const { id } of banners) {
      const { channels } = await sharp(
        await sharp(picturePath(`banners/${id}`))
          .extract({ left: 0, top: 0, width: 533, height: 400 })
          .png()
          .toBuffer(),
      ).stats();
      const [red = 0, green = 0, blue = 0] = channels.map((channel) => linear(channel.max / 255));
      const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      t.ok(1.05 / (luminance + 0.05) >= 4.5, `banner ${id} has contrast ${1.05 / (luminance + 0.05)}`);
    }
  });

  t.test('help articles have the same sections and links in all languages', async (t) => {
    const { categories, articles } = loadFirstContent().help;
    t.equal(articles.length, 5);
    for (const { name } of categories) t.strictSame(languagesOf(name), [...LANGUAGES]);
    for (const { category, title, body } of articles) {
      t.ok(categories.some(({ slug }) => slug === category));
      t.strictSame([languagesOf(title), languagesOf(body)], [[...LANGUAGES], [...LANGUAGES]]);
      const shapeOf = (text = '') => ({
        kinds: blocksOf(text).map((block) =>
          block.kind === 'list' ? `list ${block.items.length}` : block.kind,
        ),
        links: text.match(/\]\([^)]+\)/g),
      });
      for (const language of LANGUAGES) {
        t.ok(symbols(title[language] ?? '') <= 120 && symbols(body[language] ?? '') <= 10_000);
        t.strictSame(shapeOf(body[language]), shapeOf(body['en-US']), `${title['en-US']} ${language}`);
      }
    }
  });
});

t.test('submissions', async (t) => {
  const { plugins, submissions, tags } = loadCatalogue();
  const codes = tags.map(({ code }) => code);
  const isNew = ({ plugin }: (typeof submissions)[number]) => !plugins.includes(plugin);

  t.test('has a submission of every kind', async (t) => {
    const waiting = submissions.filter(({ reason }) => reason === undefined);
    t.equal(waiting.filter(isNew).length, 3);
    t.equal(waiting.filter((item) => !isNew(item) && item.version).length, 2);
    t.equal(waiting.filter(({ listing }) => listing).length, 1);
    t.equal(submissions.length - waiting.length, 2, 'two were rejected');
  });

  t.test('changes are real', async (t) => {
    for (const item of submissions.filter((item) => !isNew(item))) {
      const { plugin, version, listing, program } = item;
      const last = plugin.versions.at(-1);
      t.ok(version || listing, plugin.slug);
      if (version && last) {
        t.ok(compareVersions(version.version, last.version) > 0, `${plugin.slug} ${version.version}`);
        const lines = new Set(mainOf(packageOf(plugin, last)).split('\n'));
        const changed = mainOf(packageOf(plugin, version, program)).split('\n');
        t.ok(changed.filter((line) => !lines.has(line)).length >= 3, `${plugin.slug} differs in its code`);
      }
      for (const text of Object.values(listing?.intro ?? {})) t.ok([...text].length <= 120, text);
      t.ok((listing?.tags ?? []).every((code) => codes.includes(code)));
    }
  });

  t.test('new plugins are different from existing ones', async (t) => {
    const slugs = new Set(plugins.map(({ slug }) => slug));
    for (const { plugin } of submissions.filter(isNew)) {
      const { slug, tags: own, name, intro } = plugin;
      t.notOk(slugs.has(slug), slug);
      t.ok(
        own.every((code) => codes.includes(code)),
        `${slug} tags`,
      );
      for (const text of Object.values(name)) t.ok([...text].length <= 64, text);
      for (const text of Object.values(intro)) t.ok([...text].length <= 120, text);
    }
  });

  t.test('every package is valid and unique', async (t) => {
    const versions = plugins.flatMap((plugin) =>
      plugin.versions.map((version) => packageOf(plugin, version)),
    );
    for (const text of versions) {
      const { findings, package: read } = checkPackage(Buffer.from(text));
      const serious = findings.filter(({ severity }) => severity !== 'notice');
      t.strictSame(serious, [], `${read?.external_id} ${read?.version}`);
    }
    t.equal(new Set(versions).size, versions.length);
    for (const { plugin, version, program } of submissions) {
      if (!version) continue;
      t.doesNotThrow(() => new Script(mainOf(packageOf(plugin, version, program))), plugin.slug);
    }
  });

  function mainOf(text: string): string {
    return JSON.parse(text).files['main.js'];
  }
});
