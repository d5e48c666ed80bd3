import { sql } from 'kysely';
import type { WithdrawalReason } from '../../../../shared/constants.ts';
import type { Texts } from '../../../../shared/languages.ts';
import type { NoticeData } from '../../../../shared/routes/notice.ts';
import { type Names, namesOf } from '../../names.ts';
import { noticeNames } from '../../people/notices/store.ts';
import type { Db } from '../../schema.ts';

/** A withdrawal of which somebody is still to be told. */
type ToTell = Names & {
  id: number;
  plugin_key: string;
  version: string | null;
  reason: WithdrawalReason;
  texts: Texts;
  must_stop: boolean;
};

export async function readNextToTell(db: Db): Promise<ToTell | undefined> {
  const { rows } = await sql<ToTell>`
    select w.id, p.plugin_key, p.default_lang, ${namesOf('p.id')} as names, v.version, w.reason, w.texts, w.must_stop
      from withdrawal w join plugin p on p.id = w.plugin_id
      left join plugin_version v on v.id = w.plugin_version_id
      where w.told_at is null and w.restored_at is null
      order by w.id limit 1`.execute(db);
  return rows[0];
}

function noticeData({ plugin_key, version, reason, must_stop, texts, ...names }: ToTell): NoticeData {
  return {
    plugin_key,
    ...noticeNames(names),
    ...(version !== null && { version }),
    withdrawal: reason,
    must_stop,
    texts,
  };
}

/**
 * Inserts the notices of the next users by id, and keeps how far it came. It locks only the row of the withdrawal. Mails go
 * to those alone who must stop: a million others would hold up the mails of everybody. The publisher has a notice of their own.
 * @returns number of notices; undefined if another instance tells of it, or it was restored
 */
export async function tellInstallers(
  db: Db,
  withdrawal: ToTell,
  { at, limit }: { at: Date; limit: number },
): Promise<number | undefined> {
  const data = JSON.stringify(noticeData(withdrawal));
  const { rows } = await sql<{ count: number }>`
    with job as materialized (
      select w.id, w.plugin_id, w.told_after, w.must_stop from withdrawal w
        where w.id = ${withdrawal.id} and w.told_at is null and w.restored_at is null
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
        select b.user_id, 'installed_withdrawn', ${data}::jsonb, ${at}, case when job.must_stop then gen_random_uuid() end
          from batch b, job join plugin p on p.id = job.plugin_id
          where b.uninstalled_at is null and b.user_id <> p.publisher_id
            and not exists (select from person gone where gone.user_id = b.user_id and gone.deleted_at is not null)
        returning 1
    )
    update withdrawal w set told_after = coalesce((select max(user_id) from batch), w.told_after),
        told_at = case when (select count(*) from batch) < ${limit} then ${at}::timestamptz end
      from job where w.id = job.id
      returning (select count(*) from told) as count`.execute(db);
  return rows[0]?.count;
}
