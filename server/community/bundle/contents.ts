import { type Static, Type } from 'typebox';
import { MARK_COLORS } from '../../../shared/constants.ts';
import { FileKey, Nullable } from '../../../shared/entities/base.ts';
import { DataCollected } from '../../../shared/entities/plugin.ts';
import { TextBlock } from '../../../shared/entities/text-blocks.ts';

export const texts = Type.Record(Type.String(), Type.String());
const nullableKey = Nullable(FileKey);

export const versionSchema = Type.Object({
  version: Type.String(),
  kind: Type.Union([Type.Literal('new'), Type.Literal('fixed')]),
  note: texts,
  is_hidden: Type.Boolean(),
  package_key: nullableKey,
  package_bytes: Type.Integer(),
  package_manifest: Type.Unknown(),
  allowed_domains: Type.Array(Type.String()),
  /** Missing in old bundles, whose versions work everywhere. */
  host_range: Type.Optional(Nullable(Type.String())),
  findings: Type.Array(Type.Unknown()),
  /** Of the approval where it was exported; missing in old bundles. */
  signature: Type.Optional(Nullable(Type.String())),
});

export const listingSchema = Type.Object({
  default_lang: Type.String(),
  name: texts,
  intro: texts,
  description: texts,
  /** By language, of descriptions that were written in Markdown; missing, like the five below, in old bundles. */
  description_markdown: Type.Optional(
    Type.Record(Type.String(), Type.Object({ source: Type.String(), blocks: Type.Array(TextBlock) })),
  ),
  license: Type.Optional(Type.String()),
  home_page: Type.Optional(Type.String()),
  source_url: Type.Optional(Type.String()),
  issues_url: Type.Optional(Type.String()),
  data_collected: Type.Optional(DataCollected),
  tags: Type.Array(Type.String()),
  contact: Type.String(),
  support: Type.String(),
  /** In other languages than the default; missing in old bundles. */
  support_translations: Type.Optional(texts),
  copyright: Type.Object({
    kind: Type.Union([Type.Literal('author'), Type.Literal('custom')]),
    holder: Type.String(),
  }),
  plugin_mark: Type.String(),
  icon_key: nullableKey,
  cover_key: nullableKey,
  panel_key: nullableKey,
  media: Type.Array(
    Type.Union([
      Type.Object({ picture_key: FileKey, is_before: Type.Optional(Type.Literal(true)) }),
      Type.Object({ file_key: FileKey }),
    ]),
  ),
});

const pluginSchema = Type.Object({
  plugin_key: Type.String({ pattern: '^[A-Za-z0-9_-]{8,40}$' }),
  external_id: Type.Union([Type.String(), Type.Null()]),
  current_version: Type.String(),
  listing: listingSchema,
  /** Null for one that is maintained; missing in old bundles. */
  deprecation: Type.Optional(Nullable(Type.Object({ successor: Nullable(Type.String()), texts }))),
  versions: Type.Array(versionSchema, { minItems: 1 }),
});

/** Content of a bundle, except for its files (entry `plugins.json`). */
export const bundleSchema = Type.Object({
  plugins: Type.Array(pluginSchema, { minItems: 1 }),
  tags: Type.Array(Type.Object({ code: Type.String(), name: texts })),
  /** Missing in old bundles, whose marks were free texts. */
  marks: Type.Optional(
    Type.Array(Type.Object({ code: Type.String(), name: texts, color: Type.Enum(MARK_COLORS) })),
  ),
  pictures: Type.Array(
    Type.Object({
      picture_key: FileKey,
      width: Type.Integer(),
      height: Type.Integer(),
      widths: Type.Array(Type.Integer()),
      bytes: Type.Integer(),
    }),
  ),
  files: Type.Array(
    Type.Object({
      file_key: FileKey,
      extension: Type.String({ pattern: '^[a-z0-9]{2,5}$' }),
      mime_type: Type.String(),
      bytes: Type.Integer(),
    }),
  ),
});

export type Bundle = Static<typeof bundleSchema>;
export type BundledPlugin = Static<typeof pluginSchema>;
export type BundledVersion = Static<typeof versionSchema>;

export const PLUGINS = 'plugins.json';

/** Public keys of the signatures; missing in old bundles, like the log. */
export const APPROVAL_KEYS = 'approvals/keys.json';
const LOG = 'approvals/log/';

/** A part of the log of approvals and withdrawals: an array of entries. */
export function entryOfLog(part: number): string {
  return `${LOG}${String(part).padStart(8, '0')}.json`;
}

export function isLogEntry(entry: string): boolean {
  return entry.startsWith(LOG);
}

/** Names of all files of a bundle in the file store. */
export function filesOf({ pictures, files }: Pick<Bundle, 'pictures' | 'files'>): string[] {
  return [
    ...pictures.flatMap(({ picture_key, widths }) => widths.map((width) => `${picture_key}-${width}.webp`)),
    ...files.map(({ file_key, extension }) => `${file_key}.${extension}`),
  ];
}
