import { sql } from 'kysely';
import type { Listing, MediaItem } from '../../../../shared/entities/plugin.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';
import { fileUrl } from '../../../../shared/media.ts';
import { writtenDescription } from '../../descriptions.ts';
import type { Db, StoredListing } from '../../schema.ts';
import { supportOf } from '../../support-texts.ts';
import { indexPlugins } from '../search/index-store.ts';
import { readPictures, readVideos } from './store.ts';

/** Listings for the response: keys of pictures and videos are replaced by what a page shows. */
export async function resolveListings(db: Db, stored: readonly StoredListing[]): Promise<Listing[]> {
  const [pictures, videos] = await Promise.all([
    readPictures(db, [...new Set(stored.flatMap(pictureKeysOf))]),
    readVideos(db, [...new Set(stored.flatMap(fileKeysOf))]),
  ]);
  const picture = (key: string | null) => (key === null ? null : (pictures.get(key) ?? null));
  const mediaItem = (item: StoredListing['media'][number]): MediaItem[] => {
    if ('picture_key' in item) {
      const found = picture(item.picture_key);
      if (!found) return [];
      return [{ kind: 'image', picture: found, ...(item.is_before && { is_before: true }) }];
    }
    const found = videos.get(item.file_key);
    if (!found) return [];
    return [
      { kind: 'video', url: fileUrl(`${item.file_key}.${found.extension}`), mime_type: found.mime_type },
    ];
  };
  return stored.map((one) => {
    const { icon_key, cover_key, panel_key, media, ...rest } = one;
    const { support_translations: _support, description_markdown: markdown, ...listing } = rest;
    return {
      ...listing,
      description: writtenDescription(one),
      ...(markdown && { description_format: 'markdown' as const }),
      support: supportOf(one),
      icon: picture(icon_key),
      cover: picture(cover_key),
      panel: picture(panel_key),
      media: media.flatMap(mediaItem),
    };
  });
}

/** Keys of all pictures of a listing, each once. */
export function pictureKeysOf({ icon_key, cover_key, panel_key, media }: StoredListing): string[] {
  const shown = media.flatMap((item) => ('picture_key' in item ? [item.picture_key] : []));
  return [...new Set([icon_key, cover_key, panel_key, ...shown].filter((key) => key !== null))];
}

/** Keys of all videos of a listing, each once. */
export function fileKeysOf({ media }: StoredListing): string[] {
  return [...new Set(media.flatMap((item) => ('file_key' in item ? [item.file_key] : [])))];
}

/**
 * Writes a listing to the plugin's own rows: the public listing once the plugin is visible, and what its owner sees before.
 * Call it in a transaction that has locked the plugin.
 */
export async function writeLiveListing(trx: Db, pluginId: number, listing: StoredListing): Promise<void> {
  await trx
    .updateTable('plugin')
    .set({
      default_lang: listing.default_lang,
      plugin_mark: listing.plugin_mark,
      contact: listing.contact,
      support: listing.support,
      copyright_kind: listing.copyright.kind,
      copyright_holder: listing.copyright.holder,
      icon_key: listing.icon_key,
      cover_key: listing.cover_key,
      panel_key: listing.panel_key,
      license: listing.license ?? '',
      home_page: listing.home_page ?? '',
      source_url: listing.source_url ?? '',
      issues_url: listing.issues_url ?? '',
      data_collected: listing.data_collected ? JSON.stringify(listing.data_collected) : null,
    })
    .where('id', '=', pluginId)
    .execute();
  await writeTexts(trx, pluginId, listing);
  await writeMedia(trx, pluginId, listing);
  await writeTags(trx, pluginId, listing.tags);
  await indexPlugins(trx, [pluginId]);
}

async function writeTexts(
  trx: Db,
  plugin_id: number,
  {
    name,
    intro,
    description,
    description_markdown: markdown = {},
    support_translations: support = {},
  }: StoredListing,
): Promise<void> {
  await trx.deleteFrom('plugin_text').where('plugin_id', '=', plugin_id).execute();
  const languages = LANGUAGES.filter(
    (lang) => name[lang] || intro[lang] || description[lang] || support[lang],
  );
  await trx
    .insertInto('plugin_text')
    .values(
      languages.map((lang) => ({
        plugin_id,
        lang,
        name: name[lang] ?? '',
        intro: intro[lang] ?? '',
        description: description[lang] ?? '',
        description_markdown: markdown[lang] ? JSON.stringify(markdown[lang]) : null,
        support: support[lang] ?? '',
      })),
    )
    .execute();
}

async function writeMedia(trx: Db, plugin_id: number, { media }: StoredListing): Promise<void> {
  await trx.deleteFrom('plugin_media').where('plugin_id', '=', plugin_id).execute();
  if (media.length === 0) return;
  await trx
    .insertInto('plugin_media')
    .values(media.map((item, index) => ({ plugin_id, position: index + 1, ...mediaKeys(item) })))
    .execute();
}

function mediaKeys(item: StoredListing['media'][number]) {
  return 'picture_key' in item
    ? { picture_key: item.picture_key, file_key: null, is_before: item.is_before ?? false }
    : { picture_key: null, file_key: item.file_key, is_before: false };
}

/** Leaves unchanged tags alone, so that lists are only rewritten for changed ones. */
async function writeTags(trx: Db, pluginId: number, codes: readonly string[]): Promise<void> {
  await sql`
    delete from plugin_tag pt using tag
      where pt.plugin_id = ${pluginId} and tag.id = pt.tag_id and tag.code <> all (${[...codes]}::text[])`.execute(
    trx,
  );
  await sql`
    insert into plugin_tag (plugin_id, tag_id, position)
      select ${pluginId}, tag.id, wanted.place - 1
        from unnest(${[...codes]}::text[]) with ordinality as wanted (code, place) join tag using (code)
        for key share of tag
      on conflict (plugin_id, tag_id) do update set position = excluded.position`.execute(trx);
}
