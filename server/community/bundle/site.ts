import { type Static, Type } from 'typebox';
import { FileKey } from '../../../shared/entities/base.ts';
import { Finding } from '../../../shared/entities/finding.ts';
import { bundleSchema, listingSchema, texts, versionSchema } from './contents.ts';

const userId = Type.Integer({ minimum: 1 });
const minutesAgo = Type.Number({ minimum: 0 });
const count = Type.Integer({ minimum: 0 });

const pastSchema = Type.Object({
  publisher_id: userId,
  /** When each version was submitted, by its number. */
  versions: Type.Record(Type.String(), minutesAgo),
  praise_count: count,
  install_count: count,
  view_count: count,
  /** Totals of days, by figure; the first is a Monday. */
  days: Type.Record(Type.String(), Type.Array(count)),
});

const submissionSchema = Type.Object({
  plugin_key: Type.String(),
  external_id: Type.Union([Type.String(), Type.Null()]),
  publisher_id: userId,
  minutes_ago: minutesAgo,
  /** Null for a change of the listing only. */
  version: Type.Union([versionSchema, Type.Null()]),
  listing: listingSchema,
  findings: Type.Array(Finding),
  /** Why it was rejected, or null while it waits for review. */
  reason: Type.Union([Type.String(), Type.Null()]),
});

/**
 * What a bundle may bring to a site that has nothing yet, beside its plugins (entry `site.json`): who published them, their
 * past, what waits for review, and the site's own pages. Times are minutes before the import.
 */
export const siteSchema = Type.Object({
  people: Type.Array(Type.Object({ user_id: userId, nick_name: Type.String() })),
  /** The administrator who reviewed, and who made the site's pages. */
  administrator_id: userId,
  default_lang: Type.String(),
  /** By plugin key. */
  plugins: Type.Record(Type.String(), pastSchema),
  submissions: Type.Array(submissionSchema),
  /** Keys of the recommended plugins, in their order. */
  recommended: Type.Array(Type.String()),
  /** Keys of the plugins with a slot on the home page. */
  slots: Type.Array(Type.String()),
  /** Published collections of the editors, with the keys of their plugins. */
  collections: Type.Array(
    Type.Object({
      slug: Type.String(),
      title: texts,
      description: texts,
      plugins: Type.Array(Type.String()),
    }),
  ),
  banners: Type.Array(Type.Object({ title: texts, redirect_url: Type.String(), picture_key: FileKey })),
  works: Type.Array(
    Type.Object({
      title: texts,
      author: Type.String(),
      url: Type.String(),
      picture_key: FileKey,
      view_num: count,
      like_num: count,
    }),
  ),
  activity: Type.Object({
    id: Type.Integer(),
    cover_key: FileKey,
    view_num: count,
    participate_num: count,
    tutorial_url: Type.String(),
  }),
  /** Pictures and files of the submissions and of the pages. */
  pictures: bundleSchema.properties.pictures,
  files: bundleSchema.properties.files,
});

export type Site = Static<typeof siteSchema>;
export type SiteSubmission = Static<typeof submissionSchema>;
export type Past = Static<typeof pastSchema>;

export const SITE = 'site.json';
