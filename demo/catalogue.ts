import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadFirstContent } from '../server/community/first-content/first-content.ts';
import type { FirstMark, FirstTag } from '../server/community/first-content/store.ts';
import { type Language, type Texts, textIn } from '../shared/languages.ts';

/** User ids of the demo are far above those that an identity service assigns. */
const FIRST_USER_ID = 9_000_000_000_000;
/** The administrator of the demo. */
export const DEMO_REVIEWER: DemoPublisher = { user_id: 9013, nick_name: 'Square Labs' };

export type DemoPublisher = { user_id: number; nick_name: string; department?: string };
type DemoVersion = { version: string; days_ago: number; note: Texts };

type PluginEntry = {
  slug: string;
  default_language: Language;
  /** User id, unique within the demo. */
  publisher: number;
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
  /** Hosts allowed by the manifest. */
  domains: string[];
};

export type DemoPlugin = Omit<PluginEntry, 'publisher'> & {
  publisher: DemoPublisher;
  /** Paths of the gallery pictures. */
  screens: string[];
};

type SubmissionEntry = {
  hours_ago: number;
  /** Why it was rejected; without a reason it waits for review. */
  reason?: string;
  /** Name of its program; that of the plugin's first tag by default. */
  program?: string;
  version?: { version: string; kind: 'new' | 'fixed'; note: Texts };
  listing?: { intro?: Texts; tags?: string[] };
};

/** A new plugin, or a change of one of the catalogue, that is submitted after all others. */
export type DemoSubmission = SubmissionEntry & { plugin: DemoPlugin };

export type Catalogue = {
  tags: FirstTag[];
  marks: FirstMark[];
  publishers: DemoPublisher[];
  /** In the order of their tags. */
  plugins: DemoPlugin[];
  submissions: DemoSubmission[];
  banners: { id: number; title: Texts; redirect: { path: string } | { plugin: string } }[];
  featured: { id: number; title: Texts; author: string; view_num: number; like_num: number }[];
  activity: {
    activity_id: number;
    title: Texts;
    view_num: number;
    participate_num: number;
    tutorial_url: string;
  };
  /** Slugs of the plugins in the slots of the home page. */
  slots: string[];
  /** Collections of the editors, with the slugs of their plugins. */
  collections: { slug: string; title: Texts; description: Texts; plugins: string[] }[];
};

function read<Name extends keyof Catalogue>(name: Name): Catalogue[Name] {
  return JSON.parse(readDemo(`${name}.json`));
}

function readDemo(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

export function demoKey(slug: string): string {
  return `square-${slug}`;
}

export function demoUserId({ user_id }: Pick<DemoPublisher, 'user_id'>): number {
  return FIRST_USER_ID + user_id;
}

/** @throws Error for an unknown publisher of a plugin, or an unknown plugin of a submission */
export function loadCatalogue(): Catalogue {
  const { tags, marks } = loadFirstContent();
  const publishers = read('publishers');
  const pictures = readdirSync(new URL('pictures/screens/', import.meta.url)).toSorted();
  const toPlugin = (entry: PluginEntry): DemoPlugin => {
    const publisher = publishers.find(({ user_id }) => user_id === entry.publisher);
    if (!publisher) throw new Error(`demo: ${entry.slug} has no publisher ${entry.publisher}`);
    const names = pictures.filter((name) => name.replace(/-\d+\.webp$/, '') === entry.slug);
    return { ...entry, publisher, screens: names.map((name) => picturePath(`screens/${name.slice(0, -5)}`)) };
  };
  const plugins = tags.flatMap(({ code }): DemoPlugin[] =>
    JSON.parse(readDemo(`plugins-${code}.json`)).map(toPlugin),
  );
  const entries: (SubmissionEntry & { plugin: PluginEntry | string })[] = JSON.parse(
    readDemo('submissions.json'),
  );
  const submissions = entries.map((entry): DemoSubmission => {
    const { plugin: given } = entry;
    const plugin = typeof given === 'string' ? plugins.find(({ slug }) => slug === given) : toPlugin(given);
    if (!plugin) throw new Error(`demo: there is no plugin ${given}`);
    return { ...entry, plugin };
  });
  return {
    ...{ tags, marks, publishers, plugins, submissions },
    banners: read('banners'),
    featured: read('featured'),
    activity: read('activity'),
    slots: read('slots'),
    collections: read('collections'),
  };
}

/** Path of a finished picture such as `icons/se`. */
export function picturePath(name: string): string {
  return fileURLToPath(new URL(`pictures/${name}.webp`, import.meta.url));
}

/** The code file of one version of a demo plugin (R 6.1), indented so that users can read it. */
export function packageOf(
  plugin: DemoPlugin,
  { version, note }: Pick<DemoVersion, 'version' | 'note'>,
  program = plugin.tags[0],
): string {
  const {
    slug,
    default_language: lang,
    name,
    intro,
    description,
    tags,
    contact,
    support,
    copyright,
  } = plugin;
  const text = (texts: Texts) => textIn(texts, lang, lang).text;
  const script = readDemo(`programs/${program}.js`);
  const hasPanel = script.includes('showUI');
  const content = {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      id: slug,
      name: text(name),
      api: '1.0.0',
      main: 'main.js',
      ...(hasPanel && { ui: 'ui.html' }),
      editorType: ['pixso'],
      networkAccess: { allowedDomains: plugin.domains.length > 0 ? plugin.domains : ['none'] },
    },
    files: {
      'main.js': `// ${text(name)} ${version}\n${script}`,
      ...(hasPanel && { 'ui.html': readDemo('programs/panel.html') }),
    },
    listing: {
      ...{ name, intro, description, tags, contact, support },
      copyright: copyright === 'author' ? 'author' : copyright.custom,
      ...{ version, versionNote: note },
    },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
