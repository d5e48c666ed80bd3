import { sql } from 'kysely';
import { type Names, namesOf } from '../../names.ts';
import type { ListPlace } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { type WithdrawalRow, withdrawalOf } from './withdrawn.ts';

type RemovedRow = Names &
  Omit<WithdrawalRow, 'withdrawn_at'> & {
    id: number;
    plugin_key: string;
    version: string | null;
    withdrawn_at: Date;
  };

/** Withdrawals of what was published before, latest first; those of deleted plugins too. */
export async function readRemovedRows(
  db: Db,
  { pluginKey, after, limit }: { pluginKey: string | undefined; after: ListPlace | undefined; limit: number },
): Promise<RemovedRow[]> {
  const place = after ? sql`and (w.withdrawn_at, w.id) < (${new Date(after[0])}, ${after[1]})` : sql``;
  const ofPlugin = pluginKey === undefined ? sql`` : sql`and p.plugin_key = ${pluginKey}`;
  const { rows } = await sql<RemovedRow>`
    select w.id, p.plugin_key, p.default_lang, ${namesOf('p.id')} as names, v.version, w.reason, w.texts, w.must_stop,
        w.withdrawn_at
      from withdrawal w join plugin p on p.id = w.plugin_id
      left join plugin_version v on v.id = w.plugin_version_id
      where w.restored_at is null and w.is_public ${place} ${ofPlugin}
      order by w.withdrawn_at desc, w.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The withdrawal of a whole plugin that was published before, whether it is hidden or deleted. */
export async function readRemovedPlugin(db: Db, pluginKey: string): Promise<WithdrawalRow | null> {
  const { rows } = await sql<{ withdrawal: WithdrawalRow | null }>`
    select ${withdrawalOf('p')} as withdrawal from plugin p
      where p.plugin_key = ${pluginKey} and exists (
        select from withdrawal w
          where w.plugin_id = p.id and w.plugin_version_id is null and w.restored_at is null and w.is_public
      )`.execute(db);
  return rows[0]?.withdrawal ?? null;
}
