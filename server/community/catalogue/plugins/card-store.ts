import { type RawBuilder, sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { PREPARED } from '../../../database/query.ts';
import { publisherFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import { type MarkRow, markOf } from '../marks/store.ts';

/** A row for a card, with texts in all languages. */
export type CardRow = {
  id: number;
  plugin_key: string;
  is_liked: boolean;
  is_installed: boolean;
  names: Texts;
  intros: Texts;
  default_lang: Language;
  icon: Picture | null;
  cover: Picture | null;
  tags: { id: number; code: string; name: Texts }[];
  publisher: PublicUser;
  plugin_mark: string;
  mark: MarkRow | null;
  version: string;
  praise_count: number;
  install_count: number;
  active_count: number | null;
  view_count: number;
  updated_at: Date;
  is_deprecated: boolean;
  is_updated: boolean;
};

/** SQL for the stored picture of a key, or null. */
export function pictureOf(key: string | RawBuilder<unknown>) {
  return sql<Picture | null>`(
    select jsonb_build_object('key', picture_key, 'width', width, 'height', height, 'widths', to_jsonb(widths))
      from picture where picture_key = ${typeof key === 'string' ? sql.ref(key) : key})`;
}

/** SQL for a picture of plugin `p`; null while it is withdrawn, as nobody gets its pictures then. */
export const shownPicture = (key: RawBuilder<unknown>) =>
  pictureOf(sql`case when p.withdrawn_at is null then ${key} end`);

/** SQL columns `icon` and `cover` of plugin `p`; the generated cover if the publisher has none. */
export const PLUGIN_PICTURES = sql`
  ${shownPicture(sql`p.icon_key`)} as icon,
  ${shownPicture(sql`coalesce(p.cover_key, p.generated_cover_key)`)} as cover`;

/**
 * Reads cards in the order of ids, without deleted plugins. Each `offset 0` is an optimization fence: the generic plan would
 * otherwise read all likes and installs of a user, since most users have few, also by the index of what is not uninstalled.
 */
export async function readCardRows(
  db: Db,
  pluginIds: readonly number[],
  userId: number | null,
): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    ${sql.raw(PREPARED)} select p.id, p.plugin_key, p.default_lang, p.plugin_mark, p.updated_at,
        p.deprecated_at is not null as is_deprecated, texts.names, texts.intros, coalesce(tags.list, '[]') as tags,
        ${PLUGIN_PICTURES}, ${markOf(sql.ref('p.plugin_mark'))} as mark,
        ${publisherFrom('publisher')} as publisher,
        coalesce(v.version, '') as version,
        c.praise_count, c.install_count, c.active_count, c.view_count,
        exists (select from plugin_like where user_id = ${userId} and plugin_id = p.id offset 0) as is_liked,
        installed.at is not null as is_installed,
        exists (
          select from publication w
            where w.plugin_version_id = p.current_version_id and w.published_at > installed.at
        ) as is_updated
      from unnest(${[...pluginIds]}::bigint[]) with ordinality as wanted (id, place)
      join plugin p on p.id = wanted.id
      join person publisher on publisher.user_id = p.publisher_id
      join plugin_counter c on c.plugin_id = p.id
      left join plugin_version v on v.id = p.current_version_id
      left join lateral (
        select installed_at as at, uninstalled_at from plugin_install
          where user_id = ${userId} and plugin_id = p.id offset 0
      ) installed on installed.uninstalled_at is null
      cross join lateral (
        select jsonb_object_agg(lang, name) as names, jsonb_object_agg(lang, intro) as intros
          from plugin_text where plugin_id = p.id
      ) texts
      cross join lateral (
        select jsonb_agg(jsonb_build_object('id', tag.id, 'code', tag.code, 'name', tag.name)
            order by pt.position, tag.position) as list
          from plugin_tag pt join tag on tag.id = pt.tag_id and not tag.is_hidden where pt.plugin_id = p.id
      ) tags
      order by wanted.place`.execute(db);
  return rows;
}
