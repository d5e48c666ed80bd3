import { documentOf } from '../../server/community/catalogue/search/document.ts';
import { hasKanji } from '../../server/community/catalogue/search/kana.ts';
import { lexemesOfText } from '../../server/community/catalogue/search/lexemes.ts';
import { propertiesOf } from '../../server/community/catalogue/search/properties.ts';
import { quoteLexeme } from '../../server/community/catalogue/search/query.ts';
import { copyLine, type Value } from './copy-in.ts';
import {
  FIRST_PUBLISHER,
  type GeneratedPlugin,
  isVerified,
  pluginOf,
  REVIEWER,
  type Size,
  TAG_COUNT,
} from './plugin.ts';
import { makerOf, tagNamesOf } from './texts.ts';

/** Release note, which every approval needs. */
const NOTE = '{"en-US":"Faster than before"}';

/** Generated tables with their columns, and the rows of a plugin in each. */
export const TABLES: Readonly<Record<string, (plugin: GeneratedPlugin) => Value[][]>> = {
  'picture (picture_key, width, height, widths, created_at)': ({ picture_key, created_at }) => [
    [picture_key, 640, 360, '{320,640}', created_at],
  ],
  [`plugin (id, plugin_key, publisher_id, default_lang, contact, icon_key, cover_key, current_version_id,
    audit_status, is_hidden, created_at, updated_at)`]: (plugin) => [
    [
      plugin.id,
      plugin.plugin_key,
      plugin.publisher_id,
      plugin.default_lang,
      CONTACT,
      plugin.picture_key,
      plugin.picture_key,
      plugin.audit_status === 2 ? firstOf(plugin) : null,
      plugin.audit_status,
      plugin.is_hidden,
      plugin.created_at,
      plugin.updated_at,
    ],
  ],
  'plugin_text (plugin_id, lang, name, intro, description)': ({ id, texts }) =>
    texts.map(({ lang, name, intro, description }) => [id, lang, name, intro, description]),
  [`plugin_version (id, plugin_id, version, note, audit_status, created_by, created_at, package_manifest, allowed_domains,
    host_range, findings)`]: versionsOf,
  'plugin_tag (plugin_id, tag_id, position)': ({ id, tag_ids }) =>
    tag_ids.map((tag_id, position) => [id, tag_id, position]),
  'plugin_counter (plugin_id, praise_count, install_count, view_count)': (plugin) => [
    [plugin.id, plugin.praise_count, plugin.install_count, plugin.view_count],
  ],
  'plugin_like (user_id, plugin_id, created_at)': ({ id, users, updated_at }) =>
    users.map((user) => [user, id, updated_at]),
  'plugin_install (user_id, plugin_id, installed_at)': ({ id, users, updated_at }) =>
    users.map((user) => [user, id, updated_at]),
  [`submission (id, plugin_id, plugin_version_id, brings_version, is_first, listing, audit_status, reason, decided_by,
    decided_at, created_by, created_at)`]: submissionsOf,
  'submission_file (submission_id, picture_key)': (plugin) => [
    [firstOf(plugin), plugin.picture_key],
    ...(plugin.has_change ? [[changeOf(plugin), plugin.picture_key]] : []),
  ],
  'review (id, submission_id, audit_status, reason, reviewer_id, created_at)': (plugin) =>
    plugin.audit_status === 1
      ? []
      : [
          [
            firstOf(plugin),
            firstOf(plugin),
            plugin.audit_status,
            reasonOf(plugin),
            REVIEWER,
            plugin.updated_at,
          ],
        ],
  'plugin_search (plugin_id, name, headline, "full", is_listed, properties)': searchRowsOf,
  'japanese_name (plugin_id, name)': ({ id, texts }) =>
    texts.filter(({ lang, name }) => lang === 'ja-JP' && hasKanji(name)).map(({ name }) => [id, name]),
};

const CONTACT = 'maker@example.com';

const WARNING = '[{"code":"CODE_EVAL","severity":"warning","pointer":"/main","message":"eval"}]';

function versionsOf(plugin: GeneratedPlugin): Value[][] {
  const { code, publisher_id } = plugin;
  const declared = [
    JSON.stringify({ permissions: code.permissions }),
    `{${code.allowed_domains.join(',')}}`,
    code.host_range,
    code.has_warnings ? WARNING : '[]',
  ];
  const first = [firstOf(plugin), plugin.id, '1.0.0', NOTE, plugin.audit_status, publisher_id];
  const change = [changeOf(plugin), plugin.id, '2.0.0', NOTE, 1, publisher_id];
  return [
    [...first, plugin.created_at, ...declared],
    ...(plugin.has_change ? [[...change, plugin.updated_at, ...declared]] : []),
  ];
}

/** Id of the first version and submission of a plugin; `changeOf` is that of its open submission. */
function firstOf({ id }: GeneratedPlugin): number {
  return 2 * id - 1;
}

function changeOf({ id }: GeneratedPlugin): number {
  return 2 * id;
}

function reasonOf({ audit_status }: GeneratedPlugin): string | null {
  return audit_status === 3 ? 'The cover does not show the plugin.' : null;
}

function submissionsOf(plugin: GeneratedPlugin): Value[][] {
  const { id, audit_status, publisher_id, created_at, updated_at } = plugin;
  const decided = audit_status === 1 ? [null, null] : [REVIEWER, updated_at];
  const listing = listingOf(plugin);
  const [version, change] = [firstOf(plugin), changeOf(plugin)];
  return [
    [
      version,
      id,
      version,
      true,
      true,
      listing,
      audit_status,
      reasonOf(plugin),
      ...decided,
      publisher_id,
      created_at,
    ],
    ...(plugin.has_change
      ? [[change, id, change, true, false, listing, 1, null, null, null, publisher_id, updated_at]]
      : []),
  ];
}

/** The texts of a field by language. */
function textsByOf(texts: GeneratedPlugin['texts']) {
  return (field: 'name' | 'intro' | 'description') =>
    Object.fromEntries(texts.map((text) => [text.lang, text[field]]));
}

function listingOf({ default_lang, texts, tag_ids, picture_key }: GeneratedPlugin): string {
  const textsBy = textsByOf(texts);
  return JSON.stringify({
    default_lang,
    name: textsBy('name'),
    intro: textsBy('intro'),
    description: textsBy('description'),
    tags: tag_ids.map(tagCodeOf),
    contact: CONTACT,
    support: '',
    copyright: { kind: 'author', holder: '' },
    plugin_mark: '',
    icon_key: picture_key,
    cover_key: picture_key,
    panel_key: null,
    media: [],
  });
}

export function tagCodeOf(id: number): string {
  return `tag-${id}`;
}

const TAG_NAMES = Array.from({ length: TAG_COUNT }, (_, index) => Object.values(tagNamesOf(index)));

function searchRowsOf(plugin: GeneratedPlugin): Value[][] {
  const { id, texts, tag_ids, publisher_id, audit_status, is_hidden, code } = plugin;
  const textsBy = textsByOf(texts);
  const searchable = {
    names: texts.map((text) => text.name),
    chinese_names: texts.filter(({ lang }) => lang === 'zh-CN').map((text) => text.name),
    japanese_names: texts.filter(({ lang }) => lang === 'ja-JP').map((text) => text.name),
    intros: texts.map((text) => text.intro),
    tag_ids: tag_ids.toSorted((a, b) => a - b),
    properties: propertiesOf({
      names: textsBy('name'),
      intros: textsBy('intro'),
      descriptions: textsBy('description'),
      version: audit_status === 2 ? { ...code, manifest: { permissions: code.permissions } } : null,
      updated_at: new Date(plugin.updated_at),
      is_verified: isVerified(publisher_id),
    }),
    publisher: makerOf(publisher_id - FIRST_PUBLISHER),
    others: [
      ...texts.map(({ description }) => description),
      ...tag_ids.flatMap((tag) => TAG_NAMES[tag - 1] ?? []),
    ],
  };
  const { name, headline, full, properties } = documentOf(searchable, lexemesCached);
  const isListed = audit_status === 2 && !is_hidden;
  return [[id, vectorOf(name), vectorOf(headline), vectorOf(full), isListed, `{${properties.join(',')}}`]];
}

/** Texts repeat; caching their lexemes makes the generation three times as fast. */
const cachedLexemes = new Map<string, ReadonlySet<string>>();
const CACHE_MAX = 100_000;

function lexemesCached(text: string): ReadonlySet<string> {
  const known = cachedLexemes.get(text);
  if (known) return known;
  const lexemes = lexemesOfText(text);
  if (cachedLexemes.size < CACHE_MAX) cachedLexemes.set(text, lexemes);
  return lexemes;
}

function vectorOf(lexemes: readonly string[]): string {
  return lexemes.map(quoteLexeme).join(' ');
}

/** Rows of a range of plugins by table, as text for COPY. */
export function linesOf(first: number, last: number, size: Size): [into: string, lines: string][] {
  const plugins = Array.from({ length: last - first + 1 }, (_, index) => pluginOf(first + index, size));
  return Object.entries(TABLES).map(([into, rowsOf]) => [
    into,
    plugins.flatMap(rowsOf).map(copyLine).join(''),
  ]);
}
