import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MarkColor } from '../../../shared/constants.ts';
import { type Language, type Texts, textIn } from '../../../shared/languages.ts';

/** The folder `demo/`: texts and figures as JSON, finished pictures, programs of the packages. */
const FOLDER = new URL('../../../demo/', import.meta.url);

export type DemoTag = { id: number; code: string; name: Texts };
export type DemoMark = { code: string; color: MarkColor; name: Texts };
export type DemoPublisher = { user_id: number; nick_name: string; department?: string };
type DemoVersion = { version: string; days_ago: number; note: Texts };

export type DemoPlugin = {
  slug: string;
  default_language: Language;
  publisher: DemoPublisher;
  tags: string[];
  name: Texts;
  intro: Texts;
  description: Texts;
  /** Oldest first. */
  versions: DemoVersion[];
  installs: number;
  likes: number;
  views: number;
  updated_days_ago: number;
  recommended?: boolean;
  plugin_mark?: string;
  contact: string;
  /** An address, or a text by language. */
  support: string | Texts;
  copyright: 'author' | { custom: string };
  /** Hosts that the manifest allows; empty means none. */
  domains: string[];
  /** Paths of pictures that show it at work. */
  screens: string[];
};

/** A new plugin, or a change of one of the catalogue, that is submitted after all others. */
export type DemoSubmission = {
  hours_ago: number;
  /** Why it was rejected; what has none waits for review. */
  reason?: string;
  /** Name of its program, where it brings code. */
  program?: string;
  plugin: DemoPlugin;
  version?: { version: string; kind: 'new' | 'fixed'; note: Texts };
  listing?: { intro?: Texts; tags?: string[] };
};

type DemoBanner = { id: number; title: Texts; redirect: { path: string } | { plugin: string } };
type DemoWork = { id: number; title: Texts; author: string; view_num: number; like_num: number };
type DemoActivity = {
  activity_id: number;
  title: Texts;
  view_num: number;
  participate_num: number;
  tutorial_url: string;
};
type DemoHelp = {
  categories: { slug: string; name: Texts }[];
  articles: { category: string; title: Texts; body: Texts }[];
};

export type Catalogue = {
  tags: DemoTag[];
  marks: DemoMark[];
  publishers: DemoPublisher[];
  /** In the order of their tags. */
  plugins: DemoPlugin[];
  submissions: DemoSubmission[];
  banners: DemoBanner[];
  featured: DemoWork[];
  activity: DemoActivity;
  help: DemoHelp;
  /** Slugs of the plugins that editors feature on the home page. */
  slots: string[];
};

type Written = Omit<DemoPlugin, 'publisher' | 'screens'> & { publisher: number };
type Change = Pick<DemoSubmission, 'version' | 'listing'> & { slug: string };
type WrittenSubmission = Omit<DemoSubmission, 'plugin'> & ({ plugin: Written } | { change: Change });

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
}

/** The tags of the demo, which every catalogue begins with. */
export function loadTags(): DemoTag[] {
  return read('tags');
}

/** The marks of the demo, which every catalogue begins with. */
export function loadMarks(): DemoMark[] {
  return read('marks');
}

/** @throws Error when a plugin names a publisher, or a change a plugin, that there is not */
export function loadCatalogue(): Catalogue {
  const tags = loadTags();
  const publishers = read<DemoPublisher[]>('publishers');
  const pictures = readdirSync(new URL('pictures/screens/', FOLDER)).toSorted();
  const screensOf = (slug: string): string[] =>
    pictures
      .filter((name) => name.replace(/-\d+\.webp$/, '') === slug)
      .map((name) => picturePath(`screens/${name.slice(0, -'.webp'.length)}`));
  const published = (plugin: Written): DemoPlugin => {
    const publisher = publishers.find(({ user_id }) => user_id === plugin.publisher);
    if (!publisher) throw new Error(`demo: ${plugin.slug} has no publisher ${plugin.publisher}`);
    return { ...plugin, publisher, screens: screensOf(plugin.slug) };
  };
  const plugins = tags.flatMap(({ code }) => read<Written[]>(`plugins-${code}`).map(published));
  const submissions = read<WrittenSubmission[]>('submissions').map((item): DemoSubmission => {
    if ('plugin' in item) {
      const plugin = published(item.plugin);
      const [first] = plugin.versions;
      return { ...item, plugin, ...(first && { version: { ...first, kind: 'new' } }) };
    }
    const { change, ...submission } = item;
    const plugin = plugins.find(({ slug }) => slug === change.slug);
    if (!plugin) throw new Error(`demo: there is no plugin ${change.slug}`);
    return { ...submission, ...change, plugin };
  });
  const [banners, featured] = [read<DemoBanner[]>('banners'), read<DemoWork[]>('featured')];
  const [activity, help] = [read<DemoActivity>('activity'), read<DemoHelp>('help')];
  const slots = read<string[]>('slots');
  return {
    tags,
    marks: loadMarks(),
    publishers,
    plugins,
    submissions,
    banners,
    featured,
    activity,
    help,
    slots,
  };
}

/** Where a finished picture lies, such as `icons/se`. */
export function picturePath(name: string): string {
  return fileURLToPath(new URL(`pictures/${name}.webp`, FOLDER));
}

/**
 * The code file of one version of a demo plugin (design section 7), indented so that people can read it.
 * @param program name of its program; that of the plugin's first tag unless given
 */
export function packageOf(
  plugin: DemoPlugin,
  { version, note }: Pick<DemoVersion, 'version' | 'note'>,
  program = plugin.tags[0],
): string {
  const { slug, default_language: lang, name, intro, description, tags, contact, support } = plugin;
  const text = (texts: Texts) => textIn(texts, lang, lang).text;
  const script = readFileSync(new URL(`programs/${program}.js`, FOLDER), 'utf8');
  const showsPanel = script.includes('showUI');
  const panel = showsPanel && { 'ui.html': readFileSync(new URL('programs/panel.html', FOLDER), 'utf8') };
  const made = {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      id: slug,
      name: text(name),
      api: '1.0.0',
      main: 'main.js',
      ...(showsPanel && { ui: 'ui.html' }),
      editorType: ['pixso'],
      networkAccess: { allowedDomains: plugin.domains.length > 0 ? plugin.domains : ['none'] },
    },
    files: { 'main.js': `// ${text(name)} ${version}\n${script}`, ...panel },
    listing: {
      ...{ name, intro, description, tags, contact },
      support: typeof support === 'string' ? support : text(support),
      copyright: plugin.copyright === 'author' ? 'author' : plugin.copyright.custom,
      ...{ version, versionNote: note },
    },
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}
