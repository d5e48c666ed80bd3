import type { Insertable } from 'kysely';
import { BASE_PATH } from '../../../shared/constants.ts';
import { LANGUAGES, type Language, type Texts, textIn } from '../../../shared/languages.ts';
import type {
  DemoBanner,
  DemoHelp,
  DemoMark,
  DemoPlugin,
  DemoPublisher,
  DemoTag,
  DemoWork,
} from '../demo/catalogue-schema.ts';
import type { CommunityTables, StoredListing } from '../schema.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const REVIEWED_WITHIN = 5 * 60 * MINUTE;
/** Publishers of the demo stand far above the numbers that an identity service gives to real accounts. */
const FIRST_USER_ID = 9_000_000_000_000;
/** Where featured works live: the community of the wider site (specification section 2). */
const WORKS_URL = '/community/home';
const HOME: Language = 'zh-CN';

type Row<Table extends keyof CommunityTables> = Insertable<CommunityTables[Table]>;

export function demoKey(slug: string): string {
  return `square-${slug}`;
}

export function demoUserId(publisher: Pick<DemoPublisher, 'user_id'>): number {
  return FIRST_USER_ID + publisher.user_id;
}

export function personRow(publisher: DemoPublisher): Row<'person'> {
  return { user_id: demoUserId(publisher), nick_name: publisher.nick_name };
}

export function tagRow(tag: DemoTag, position: number): Row<'tag'> {
  return { code: tag.code, name: JSON.stringify(tag.name), position };
}

export function markRow({ code, color, name }: DemoMark, position: number): Row<'mark'> {
  return { code, color, name: JSON.stringify(name), position };
}

/** @param index spreads plugins of the same day over its hours, so that lists have one order */
export function pluginRow(plugin: DemoPlugin, index: number, now: number): Row<'plugin'> {
  const isAuthor = plugin.copyright === 'author';
  return {
    plugin_key: demoKey(plugin.slug),
    publisher_id: demoUserId(plugin.publisher),
    default_lang: plugin.default_language,
    plugin_mark: plugin.plugin_mark ?? '',
    contact: plugin.contact,
    support: supportText(plugin),
    copyright_kind: isAuthor ? 'author' : 'custom',
    copyright_holder: plugin.copyright === 'author' ? '' : plugin.copyright.custom,
    audit_status: 2,
    created_at: new Date(now - firstDaysAgo(plugin) * DAY - minutesOf(index)),
    updated_at: new Date(now - plugin.updated_days_ago * DAY - minutesOf(index)),
  };
}

function minutesOf(index: number): number {
  return ((index * 37) % 1440) * MINUTE;
}

function firstDaysAgo(plugin: DemoPlugin): number {
  return Math.max(plugin.updated_days_ago, ...plugin.versions.map((version) => version.days_ago));
}

function supportText({ support, default_language: lang }: DemoPlugin): string {
  return typeof support === 'string' ? support : textIn(support, lang, lang).text;
}

export function textRows(plugin: DemoPlugin, plugin_id: number): Row<'plugin_text'>[] {
  return languagesOf(plugin.name).map((lang) => ({
    plugin_id,
    lang,
    name: plugin.name[lang] ?? '',
    intro: plugin.intro[lang] ?? '',
    description: plugin.description[lang] ?? '',
  }));
}

function languagesOf(texts: Texts): Language[] {
  return LANGUAGES.filter((lang) => texts[lang]);
}

export function versionRows(plugin: DemoPlugin, plugin_id: number, now: number): Row<'plugin_version'>[] {
  return plugin.versions.map((version) => ({
    plugin_id,
    version: version.version,
    note: JSON.stringify(version.note),
    audit_status: 2,
    allowed_domains: plugin.domains,
    created_by: demoUserId(plugin.publisher),
    created_at: new Date(now - version.days_ago * DAY),
  }));
}

/** What its publisher handed in and what has passed: the plugin as it is, with its newest version. */
export function submissionRow(
  plugin: DemoPlugin,
  ids: { plugin_id: number; plugin_version_id: number },
  now: number,
): Row<'submission'> {
  const handedInAt = now - Math.min(...plugin.versions.map(({ days_ago }) => days_ago)) * DAY;
  return {
    ...ids,
    brings_version: true,
    is_first: plugin.versions.length === 1,
    listing: JSON.stringify(storedListing(plugin)),
    audit_status: 2,
    created_by: demoUserId(plugin.publisher),
    created_at: new Date(handedInAt - REVIEWED_WITHIN),
    decided_at: new Date(handedInAt),
  };
}

/** A demo plugin's listing; its pictures follow. */
export function storedListing(plugin: DemoPlugin): StoredListing {
  const { default_language, name, intro, description, tags, contact, copyright, plugin_mark = '' } = plugin;
  return {
    default_lang: default_language,
    name,
    intro,
    description,
    tags,
    contact,
    support: supportText(plugin),
    copyright:
      copyright === 'author' ? { kind: 'author', holder: '' } : { kind: 'custom', holder: copyright.custom },
    plugin_mark,
    icon_key: null,
    cover_key: null,
    panel_key: null,
    media: [],
  };
}

export function bannerRow(banner: DemoBanner, position: number): Row<'banner'> {
  const { redirect } = banner;
  return {
    redirect_url: 'path' in redirect ? redirect.path : `${BASE_PATH}plugin/${demoKey(redirect.plugin)}`,
    title: JSON.stringify(banner.title),
    default_lang: HOME,
    position,
  };
}

export function categoryRow(
  { name }: DemoHelp['categories'][number],
  position: number,
): Row<'help_category'> {
  return { name: JSON.stringify(name), default_lang: HOME, position };
}

export function articleRow(
  { title, body }: DemoHelp['articles'][number],
  position: number,
  category_id: number | undefined,
): Row<'help_article'> {
  return {
    category_id: category_id ?? null,
    title: JSON.stringify(title),
    body: JSON.stringify(body),
    default_lang: HOME,
    is_published: true,
    position,
  };
}

export function workRow(work: DemoWork, position: number): Row<'featured_work'> {
  const { author, view_num, like_num } = work;
  const title = JSON.stringify(work.title);
  return { title, default_lang: HOME, author, url: WORKS_URL, view_num, like_num, position };
}
