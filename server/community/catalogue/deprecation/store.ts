import { sql } from 'kysely';
import type { Texts } from '../../../../shared/languages.ts';
import type { Db } from '../../schema.ts';
import { SUCCESSOR, type SuccessorRow } from './deprecated.ts';

/** What is said of a deprecated plugin. */
export type NewDeprecation = { successorId: number | null; texts: Texts };

/** A plugin that can be named as a successor: a listed one that is not deprecated itself, so that nobody moves in a circle. */
export async function findSuccessor(db: Db, pluginKey: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin where plugin_key = ${pluginKey} and is_visible and deprecated_at is null`.execute(
    db,
  );
  return rows[0]?.id;
}

/**
 * Stores what is said of a plugin; the first time stays. Users who were told of an earlier deprecation are not told again.
 * @returns `began` for a plugin that was not deprecated, false if nothing has changed
 */
export async function setDeprecated(
  trx: Db,
  pluginId: number,
  { successorId, texts }: NewDeprecation,
  at: Date,
): Promise<'began' | 'changed' | false> {
  const { numUpdatedRows } = await trx
    .updateTable('plugin')
    .set({ deprecated_at: at })
    .where('id', '=', pluginId)
    .where('deprecated_at', 'is', null)
    .executeTakeFirst();
  const { rows } = await sql`
    insert into deprecation as d (plugin_id, successor_id, texts)
      values (${pluginId}, ${successorId}, ${JSON.stringify(texts)})
      on conflict (plugin_id) do update
        set successor_id = excluded.successor_id, texts = excluded.texts, ended_at = null
        where (d.successor_id, d.texts, d.ended_at) is distinct from (excluded.successor_id, excluded.texts, null)
      returning plugin_id`.execute(trx);
  if (numUpdatedRows > 0n) return 'began';
  return rows.length > 0 && 'changed';
}

/** @returns false if it was not deprecated */
export async function endDeprecation(trx: Db, pluginId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('plugin')
    .set({ deprecated_at: null })
    .where('id', '=', pluginId)
    .where('deprecated_at', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx
    .updateTable('deprecation')
    .set({ ended_at: at })
    .where('plugin_id', '=', pluginId)
    .executeTakeFirst();
  return true;
}

export type OwnDeprecationRow = { is_deprecated: boolean; successor: SuccessorRow | null; texts: Texts };

/** What is said of a plugin, or was said of it. */
export async function readOwnDeprecation(db: Db, pluginId: number): Promise<OwnDeprecationRow | undefined> {
  const { rows } = await sql<OwnDeprecationRow>`
    select p.deprecated_at is not null as is_deprecated, coalesce(d.texts, '{}') as texts,
        (select ${SUCCESSOR} from plugin s where s.id = d.successor_id and s.is_visible) as successor
      from plugin p left join deprecation d on d.plugin_id = p.id where p.id = ${pluginId}`.execute(db);
  return rows[0];
}
