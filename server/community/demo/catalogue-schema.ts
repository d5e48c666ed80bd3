import { type Static, Type } from 'typebox';
import { MARK_COLORS } from '../../../shared/constants.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { COVERS, type CoverName } from './artwork/cover.ts';
import { GLYPHS, type GlyphName } from './artwork/icon.ts';
import { GROUNDS, type Ground, PALETTES, type PaletteName } from './artwork/palette.ts';
import { WORKS, type WorkName } from './artwork/work.ts';

const closed = { additionalProperties: false };
const oneOf = (names: readonly string[]) => Type.Enum([...names]);

export const Text = Type.String({ minLength: 1 });
const LanguageName = Type.Unsafe<Language>(oneOf(LANGUAGES));
export const TextsSchema = Type.Unsafe<Partial<Record<Language, string>>>(
  Type.Partial(
    Type.Object(
      {
        'zh-CN': Text,
        'en-US': Text,
        'ja-JP': Text,
        'ko-KR': Text,
        'ru-RU': Text,
        'es-ES': Text,
      },
      closed,
    ),
  ),
);

const PaletteField = Type.Unsafe<PaletteName>(oneOf(Object.keys(PALETTES)));
const GroundField = Type.Unsafe<Ground>(oneOf(GROUNDS));
const Count = Type.Integer({ minimum: 0 });

const Icon = Type.Object(
  {
    motif: Type.Unsafe<GlyphName>(oneOf(Object.keys(GLYPHS))),
    palette: PaletteField,
    ground: GroundField,
  },
  closed,
);

const Cover = Type.Object(
  {
    motif: Type.Unsafe<CoverName>(oneOf(Object.keys(COVERS))),
    palette: PaletteField,
    ground: GroundField,
    seed: Type.Integer(),
    density: Type.Integer({ minimum: 1, maximum: 3 }),
  },
  closed,
);

const Work = Type.Object(
  {
    motif: Type.Unsafe<WorkName>(oneOf(Object.keys(WORKS))),
    palette: PaletteField,
    ground: GroundField,
    seed: Type.Integer(),
  },
  closed,
);

const Publisher = Type.Object(
  { user_id: Type.Integer({ minimum: 1 }), nick_name: Text, department: Type.Optional(Text) },
  closed,
);

const Tag = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    code: Type.String({ pattern: '^[a-z]+$' }),
    name: TextsSchema,
  },
  closed,
);

const Mark = Type.Object(
  { code: Type.String({ pattern: '^[a-z]+$' }), color: Type.Enum(MARK_COLORS), name: TextsSchema },
  closed,
);

export const Version = Type.Object(
  { version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }), days_ago: Count, note: TextsSchema },
  closed,
);

export const Plugin = Type.Object(
  {
    slug: Type.String({ pattern: '^[a-z0-9-]+$' }),
    default_language: LanguageName,
    /** The publisher's user_id in publishers.json. */
    publisher: Type.Integer({ minimum: 1 }),
    tags: Type.Array(Type.String(), { minItems: 1, maxItems: 3 }),
    name: TextsSchema,
    intro: TextsSchema,
    description: TextsSchema,
    versions: Type.Array(Version, { minItems: 1, maxItems: 4 }),
    installs: Count,
    likes: Count,
    views: Count,
    updated_days_ago: Count,
    recommended: Type.Optional(Type.Boolean()),
    /** Code of a mark in marks.json. */
    plugin_mark: Type.Optional(Text),
    contact: Text,
    /** An address or a text by language. */
    support: Type.Union([Type.String({ pattern: '^https://' }), TextsSchema]),
    copyright: Type.Union([Type.Literal('author'), Type.Object({ custom: Text }, closed)]),
    /** Hosts that the manifest allows; empty means none. */
    domains: Type.Array(Text),
    icon: Icon,
    cover: Cover,
  },
  closed,
);

const Banner = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    title: TextsSchema,
    /** A path of the site, or the slug of a plugin whose page is meant. */
    redirect: Type.Union([
      Type.Object({ path: Type.String({ pattern: '^/' }) }, closed),
      Type.Object({ plugin: Text }, closed),
    ]),
    artwork: Cover,
  },
  closed,
);

const FeaturedWork = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    title: TextsSchema,
    author: Text,
    view_num: Count,
    like_num: Count,
    artwork: Work,
  },
  closed,
);

const Activity = Type.Object(
  {
    activity_id: Type.Integer(),
    title: TextsSchema,
    view_num: Count,
    participate_num: Count,
    tutorial_url: Type.String({ pattern: '^(/|https://)' }),
    artwork: Cover,
  },
  closed,
);

const Help = Type.Object(
  {
    categories: Type.Array(Type.Object({ slug: Text, name: TextsSchema }, closed)),
    /** Each in the category of its slug, in this order. */
    articles: Type.Array(Type.Object({ category: Text, title: TextsSchema, body: TextsSchema }, closed)),
  },
  closed,
);

export const TagFile = Type.Array(Tag);
export const MarkFile = Type.Array(Mark);
export const PublisherFile = Type.Array(Publisher);
export const PluginFile = Type.Array(Plugin);
export const BannerFile = Type.Array(Banner);
export const FeaturedFile = Type.Array(FeaturedWork);
export const ActivityFile = Activity;
export const HelpFile = Help;

export type DemoTag = Static<typeof Tag>;
export type DemoMark = Static<typeof Mark>;
export type DemoPublisher = Static<typeof Publisher>;
export type DemoVersion = Static<typeof Version>;
export type DemoBanner = Static<typeof Banner>;
export type DemoWork = Static<typeof FeaturedWork>;
export type DemoHelp = Static<typeof Help>;
export type DemoActivity = Static<typeof Activity>;
/** A plugin as its file has it, with the publisher in place of his number. */
export type DemoPlugin = Omit<Static<typeof Plugin>, 'publisher'> & { publisher: DemoPublisher };
