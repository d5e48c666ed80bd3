import { Script } from 'node:vm';
import sharp from 'sharp';
import t from 'tap';
import { drawBanner } from '../../../server/community/demo/artwork/banner.ts';
import { COVERS, drawCover } from '../../../server/community/demo/artwork/cover.ts';
import { drawIcon, GLYPHS } from '../../../server/community/demo/artwork/icon.ts';
import { drawWork } from '../../../server/community/demo/artwork/work.ts';
import { loadCatalogue } from '../../../server/community/demo/catalogue.ts';
import { demoPackage } from '../../../server/community/demo/package.ts';
import { blocksOf } from '../../../server/markdown/blocks.ts';
import { isLanguage, LANGUAGES, type Texts } from '../../../shared/languages.ts';

const catalogue = loadCatalogue();
const { plugins, tags, banners, featured, activity, publishers } = catalogue;
const symbols = (text: string): number => [...text].length;
const languagesOf = (texts: Texts): string[] => Object.keys(texts);

t.test('holds as much as a first visit needs', async (t) => {
  t.ok(plugins.length >= 60, `${plugins.length} plugins`);
  t.equal(tags.length, 10);
  t.equal(banners.length, 4);
  t.equal(featured.length, 4);
  t.equal(activity.activity_id, 30);
  t.ok(activity.view_num > 9999 || activity.participate_num > 9999);
  t.ok(publishers.length >= 12);
  const recommended = plugins.filter((plugin) => plugin.recommended);
  t.ok(recommended.length >= 12, `${recommended.length} recommended`);
  t.ok(Object.keys(GLYPHS).length >= 24);
  t.ok(Object.keys(COVERS).length >= 16);
  for (const tag of tags) {
    const held = plugins.filter((plugin) => plugin.tags.includes(tag.code)).length;
    t.ok(held >= 5, `${tag.code} holds ${held}`);
  }
});

t.test('texts keep to the limits and to the languages', async (t) => {
  const within = (texts: Texts, limit: number, what: string): void => {
    for (const [language, text] of Object.entries(texts)) {
      t.ok(isLanguage(language), `${what} ${language}`);
      t.ok(text.trim() === text && symbols(text) > 0 && symbols(text) <= limit, `${what} ${language} length`);
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
    const described = languagesOf(plugin.description);
    t.ok(described.length >= 2 && described.includes('zh-CN') && described.includes('en-US'), plugin.slug);
    t.ok(described.includes(plugin.default_language), `${plugin.slug} described in its own language`);
  }
  const complete = plugins.filter((plugin) => languagesOf(plugin.description).length === LANGUAGES.length);
  t.ok(complete.length >= 20, `${complete.length} described in all six languages`);
  for (const { title } of [...banners, ...featured, activity]) {
    within(title, 64, 'title');
    t.strictSame(languagesOf(title), [...LANGUAGES]);
  }
  for (const tag of tags) t.strictSame(languagesOf(tag.name), [...LANGUAGES], tag.code);
});

t.test('nothing is there twice', async (t) => {
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
    plugins.map((plugin) => JSON.stringify(plugin.icon)),
    'icons',
  );
  unique(
    plugins.map((plugin) => JSON.stringify(plugin.cover)),
    'covers',
  );
});

t.test('references and figures hold together', async (t) => {
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

t.test('search has words of one and two characters and other widths to find', async (t) => {
  const named = (language: (typeof LANGUAGES)[number]): Set<string | undefined> =>
    new Set(plugins.map((plugin) => plugin.name[language]));
  for (const word of ['色', '表', '图标', '字体']) t.ok(named('zh-CN').has(word), word);
  t.ok(named('ja-JP').has('アイコン') && named('ja-JP').has('色'));
  t.ok(named('ko-KR').has('아이콘') && named('ko-KR').has('색상'));
  t.ok([...named('zh-CN')].some((name) => name?.includes('ＡＢＣ')));
  t.ok([...named('ja-JP')].some((name) => name?.includes('ｶﾅ')));
  t.ok([...named('en-US')].some((name) => name?.includes('è')));
});

t.test('every version has a package that its plugin could publish', async (t) => {
  for (const plugin of plugins) {
    for (const version of plugin.versions) {
      const made = demoPackage(plugin, version);
      const main = made.files[made.manifest.main];
      t.type(main, 'string', plugin.slug);
      t.doesNotThrow(() => new Script(main ?? '('), `${plugin.slug} ${version.version} parses`);
      if (made.manifest.ui) t.type(made.files[made.manifest.ui], 'string');
      t.equal(made.listing.version, version.version);
      t.ok(made.manifest.networkAccess.allowedDomains.length > 0);
    }
  }
  const texts = plugins.flatMap((plugin) =>
    plugin.versions.map((version) => JSON.stringify(demoPackage(plugin, version))),
  );
  t.equal(new Set(texts).size, texts.length, 'no two versions share their content');
});

t.test('a plugin without a known first tag has no package', async (t) => {
  const [plugin] = plugins;
  const version = plugin?.versions[0];
  if (!plugin || !version) throw new Error('the catalogue is empty');
  t.throws(() => demoPackage({ ...plugin, tags: [] }, version), { message: /No program for plugin/ });
});

t.test('every drawing rasterises to its size and never changes', { timeout: 120_000 }, async (t) => {
  const check = async (draw: () => string, width: number, height: number, what: string): Promise<void> => {
    const svg = draw();
    t.equal(draw(), svg, `${what} is the same again`);
    t.notMatch(svg, /NaN|undefined|Infinity|<text/, `${what} has sound numbers and no fonts`);
    const drawing = sharp(Buffer.from(svg));
    const meta = await drawing.metadata();
    t.strictSame([meta.width, meta.height], [width, height], what);
    const { channels } = await drawing
      .resize(width / 8)
      .toBuffer()
      .then((small) => sharp(small).stats());
    t.ok(
      channels.slice(0, 3).some((channel) => channel.stdev > 3),
      `${what} shows something`,
    );
  };
  for (const plugin of plugins) {
    await check(() => drawIcon(plugin.icon), 512, 512, `${plugin.slug} icon`);
    await check(() => drawCover(plugin.cover), 1920, 1080, `${plugin.slug} cover`);
  }
  for (const banner of banners)
    await check(() => drawBanner(banner.artwork), 1600, 400, `banner ${banner.id}`);
  for (const work of featured) await check(() => drawWork(work.artwork), 800, 600, `work ${work.id}`);
  await check(() => drawCover(activity.artwork), 1920, 1080, 'activity');
});

t.test('the left third of every banner lets white text be read', async (t) => {
  const linear = (channel: number): number =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  for (const banner of banners) {
    const { channels } = await sharp(
      await sharp(Buffer.from(drawBanner(banner.artwork)))
        .extract({ left: 0, top: 0, width: 533, height: 400 })
        .png()
        .toBuffer(),
    ).stats();
    const [red = 0, green = 0, blue = 0] = channels.map((channel) => linear(channel.max / 255));
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    t.ok(1.05 / (luminance + 0.05) >= 4.5, `banner ${banner.id} has contrast ${1.05 / (luminance + 0.05)}`);
  }
});

t.test('help articles are written in all languages, with the same sections and links in each', async (t) => {
  const { categories, articles } = catalogue.help;
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
