import { sql } from 'kysely';
import type { WithdrawalReason } from '../../../../shared/constants.ts';
import type { Texts } from '../../../../shared/languages.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';

/** Why and how something is withdrawn. */
export type NewWithdrawal = {
  reason: WithdrawalReason;
  texts: Texts;
  mustStop: boolean;
  /** With everything else of its publisher. */
  isOfPublisher: boolean;
};

/** An administrator who withdraws or restores, and who has proposed it if that was another one. */
export type Withdrawing = { caller: Caller; at: Date; proposedBy?: number };

/** Who withdraws or restores, and when; without a withdrawal it is restored. */
export type WithdrawalChange = { by: number; at: Date; withdrawal: NewWithdrawal | null };

/** @returns false if it is in this state already: the first reason and time stay */
export async function setPluginWithdrawn(
  trx: Db,
  pluginId: number,
  change: WithdrawalChange,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('plugin')
    .set({ withdrawn_at: change.withdrawal && change.at })
    .where('id', '=', pluginId)
    .where('withdrawn_at', change.withdrawal ? 'is' : 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await writeWithdrawal(trx, { pluginId, versionId: null }, change);
  return true;
}

/** @returns false if it is in this state already */
export async function setVersionWithdrawn(
  trx: Db,
  { pluginId, versionId }: { pluginId: number; versionId: number },
  change: WithdrawalChange,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('plugin_version')
    .set({ withdrawn_at: change.withdrawal && change.at })
    .where('id', '=', versionId)
    .where('withdrawn_at', change.withdrawal ? 'is' : 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await writeWithdrawal(trx, { pluginId, versionId }, change);
  return true;
}

async function writeWithdrawal(
  trx: Db,
  { pluginId, versionId }: { pluginId: number; versionId: number | null },
  { by, at, withdrawal }: WithdrawalChange,
): Promise<void> {
  const isOfVersion =
    versionId === null ? sql`plugin_version_id is null` : sql`plugin_version_id = ${versionId}`;
  if (!withdrawal) {
    await sql`
      update withdrawal set restored_by = ${by}, restored_at = ${at}
        where plugin_id = ${pluginId} and ${isOfVersion} and restored_at is null`.execute(trx);
    return;
  }
  const { reason, texts, mustStop, isOfPublisher } = withdrawal;
  await sql`
    insert into withdrawal (plugin_id, plugin_version_id, reason, texts, must_stop, is_of_publisher, is_public,
        withdrawn_by, withdrawn_at)
      values (${pluginId}, ${versionId}, ${reason}, ${JSON.stringify(texts)}, ${mustStop}, ${isOfPublisher},
        exists (
          select from plugin_version v where v.plugin_id = ${pluginId} and v.audit_status = 2
            and v.id = coalesce(${versionId}, v.id)
        ), ${by}, ${at})`.execute(trx);
}

type Reference = { table: string; column: string };

async function readReferences(db: Db, to: 'picture' | 'stored_file'): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select t.relname as table, a.attname as column
      from pg_constraint c
      join pg_class t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = ${to}::regclass`.execute(db);
  return rows;
}

/** Tables by which plugins have files, and SQL for the plugin of a row `r`. */
const OF_PLUGINS = new Map([
  ['plugin', sql`r.id`],
  ['plugin_media', sql`r.plugin_id`],
  ['plugin_version', sql`r.plugin_id`],
  ['submission_file', sql`(select s.plugin_id from submission s where s.id = r.submission_id)`],
]);

/**
 * Keys of pictures and files that only withdrawn plugins have, besides plugins that others do not see either. What a
 * banner, an avatar or a listed plugin shows as well stays public. Tables come from the foreign keys, so that a new one is
 * not forgotten.
 */
export async function readWithheldKeys(db: Db): Promise<string[]> {
  const { rows: withdrawn } = await sql`select from plugin where withdrawn_at is not null limit 1`.execute(
    db,
  );
  if (withdrawn.length === 0) return [];
  const references = await Promise.all([readReferences(db, 'picture'), readReferences(db, 'stored_file')]);
  const withheld = references.flat().flatMap(({ table, column }) => {
    const plugin = OF_PLUGINS.get(table);
    if (!plugin) return [];
    return [
      sql`select r.${sql.id(column)} as key from plugin w join ${sql.table(table)} r on ${plugin} = w.id
        where w.withdrawn_at is not null and r.${sql.id(column)} is not null`,
    ];
  });
  const shown = references.flat().map(({ table, column }) => {
    const plugin = OF_PLUGINS.get(table);
    const ofListed = plugin && sql`join plugin p on p.id = ${plugin} and p.is_visible`;
    return sql`exists (select from ${sql.table(table)} r ${ofListed ?? sql``} where r.${sql.id(column)} = k.key)`;
  });
  const { rows } = await sql<{ key: string }>`
    select k.key from (${sql.join(withheld, sql` union `)}) k where not (${sql.join(shown, sql` or `)})`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}
