import { type RawBuilder, sql } from 'kysely';
import type { NoticeKind } from '../../../../shared/routes/notice.ts';
import { namesOf } from '../../names.ts';
import type { Db } from '../../schema.ts';

/** What the users of a plugin are told. Each is a row `w` that keeps whom it was told. */
export const TOLD_OF = ['withdrawal', 'deprecation'] as const;
type ToldOf = (typeof TOLD_OF)[number];

type Source = {
  kind: NoticeKind;
  /** Column of the row's key, which is also the order. */
  key: RawBuilder<number>;
  /** Condition under which it still holds. */
  holds: RawBuilder<boolean>;
  /** The notice's data besides the names of the plugin `p`. */
  data: RawBuilder<unknown>;
  /** Whether it is mailed: mails leave in order, and a million of them would hold up those of everybody. */
  isMailed: RawBuilder<boolean>;
};

const nameIn = (table: 'p' | 's') => sql`(
  select name from plugin_text where plugin_id = ${sql.ref(`${table}.id`)} and lang = ${sql.ref(`${table}.default_lang`)})`;

const SOURCES: Readonly<Record<ToldOf, Source>> = {
  withdrawal: {
    kind: 'installed_withdrawn',
    key: sql`w.id`,
    holds: sql`w.restored_at is null`,
    data: sql`jsonb_build_object('withdrawal', w.reason, 'must_stop', w.must_stop, 'texts', w.texts) || coalesce((
      select jsonb_build_object('version', v.version) from plugin_version v where v.id = w.plugin_version_id), '{}')`,
    isMailed: sql`w.must_stop`,
  },
  deprecation: {
    kind: 'installed_deprecated',
    key: sql`w.plugin_id`,
    holds: sql`w.ended_at is null`,
    data: sql`jsonb_build_object('texts', w.texts) || coalesce((
      select jsonb_build_object('successor_key', s.plugin_key, 'successor_name', ${nameIn('s')},
          'successor_names', ${namesOf('s.id')})
        from plugin s where s.id = w.successor_id and s.is_visible), '{}')`,
    isMailed: sql`false`,
  },
};

/** Something of which somebody is still to be told, with the data of its notices. */
type ToTell = { key: number; data: unknown };

export async function readNextToTell(db: Db, what: ToldOf): Promise<ToTell | undefined> {
  const { key, holds, data } = SOURCES[what];
  const { rows } = await sql<ToTell>`
    select ${key} as key, jsonb_build_object('plugin_key', p.plugin_key, 'plugin_name', ${nameIn('p')},
          'plugin_names', ${namesOf('p.id')}) || ${data} as data
      from ${sql.table(what)} w join plugin p on p.id = w.plugin_id
      where w.told_at is null and ${holds} order by ${key} limit 1`.execute(db);
  return rows[0];
}

/**
 * Inserts the notices of the next users by id, and keeps how far it came. It locks only the row that it tells of. The publisher
 * has a notice of their own.
 * @returns number of notices; undefined if another instance tells of it, or it holds no longer
 */
export async function tellNext(
  db: Db,
  what: ToldOf,
  { key: wanted, data }: ToTell,
  { at, limit }: { at: Date; limit: number },
): Promise<number | undefined> {
  const { kind, key, holds, isMailed } = SOURCES[what];
  const { rows } = await sql<{ count: number }>`
    with job as materialized (
      select ${key} as key, w.plugin_id, w.told_after, ${isMailed} as is_mailed from ${sql.table(what)} w
        where ${key} = ${wanted} and w.told_at is null and ${holds}
        for no key update skip locked
    ), batch as materialized (
      select i.user_id, i.uninstalled_at from job
        cross join lateral (
          select user_id, uninstalled_at from plugin_install
            where plugin_id = job.plugin_id and user_id > job.told_after
            order by user_id limit ${limit}
        ) i
    ), told as (
      insert into notice (user_id, kind, data, created_at, mail_key)
        select b.user_id, ${kind}, ${JSON.stringify(data)}::jsonb, ${at}, case when job.is_mailed then gen_random_uuid() end
          from batch b, job join plugin p on p.id = job.plugin_id
          where b.uninstalled_at is null and b.user_id <> p.publisher_id
            and not exists (select from person gone where gone.user_id = b.user_id and gone.deleted_at is not null)
        returning 1
    )
    update ${sql.table(what)} w set told_after = coalesce((select max(user_id) from batch), w.told_after),
        told_at = case when (select count(*) from batch) < ${limit} then ${at}::timestamptz end
      from job where ${key} = job.key
      returning (select count(*) from told) as count`.execute(db);
  return rows[0]?.count;
}
