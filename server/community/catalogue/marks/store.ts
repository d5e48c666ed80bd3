import { type RawBuilder, sql } from 'kysely';
import type { MarkColor } from '../../../../shared/constants.ts';
import type { ManagedMark } from '../../../../shared/entities/backstage.ts';
import type { Mark } from '../../../../shared/entities/plugin.ts';
import { FALLBACK_LANGUAGE, type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import type { Db } from '../../schema.ts';

/** The mark of a plugin, with its name in all languages. */
export type MarkRow = { name: Texts; color: MarkColor };

/** SQL for the mark of a code; null if unknown or hidden. */
export function markOf(code: RawBuilder<unknown>) {
  return sql<MarkRow | null>`(
    select jsonb_build_object('name', name, 'color', color) from mark where mark.code = ${code} and not is_hidden)`;
}

/** SQL for the names of a mark in all languages, for the search index. */
export function markNames(code: RawBuilder<unknown>) {
  return sql<string[]>`array(select value from mark, jsonb_each_text(mark.name) where mark.code = ${code})`;
}

export function toMark(mark: MarkRow | null, language: Language): Mark | null {
  if (!mark) return null;
  const { text, lang } = textIn(mark.name, language, FALLBACK_LANGUAGE);
  return { name: text, lang, color: mark.color };
}

/** A mark without its number of plugins. */
export type BareMark = Omit<ManagedMark, 'plugin_count'>;

/** Reads all marks in their order, including hidden ones. */
export async function readMarks(db: Db): Promise<BareMark[]> {
  const { rows } = await sql<BareMark>`
    select id, code, name, color, is_hidden from mark order by position, id`.execute(db);
  return rows;
}

/** SQL for the plugins with a mark, including waiting submissions and excluding deleted plugins. */
function markedPlugins(code: RawBuilder<unknown>) {
  return sql`
    select p.id from plugin p where p.plugin_mark = ${code} and p.plugin_mark <> '' and p.deleted_at is null
    union
    select s.plugin_id from submission s join plugin p on p.id = s.plugin_id and p.deleted_at is null
      where s.audit_status = 1 and not s.is_superseded and s.listing ->> 'plugin_mark' = ${code}`;
}

/** Reads all marks in their order, each with its number of plugins; takes long, so not under a lock of the table. */
export async function readManagedMarks(db: Db): Promise<ManagedMark[]> {
  const { rows } = await sql<ManagedMark>`
    select id, code, name, color, is_hidden,
        (select count(*) from (${markedPlugins(sql.ref('mark.code'))}) marked)::integer as plugin_count
      from mark order by position, id`.execute(db);
  return rows;
}

/** Counts the plugins with a mark. */
export async function countMarked(db: Db, code: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (${markedPlugins(sql`${code}`)}) marked`.execute(db);
  return rows[0]?.total ?? 0;
}

/** True if a plugin or a waiting submission has the mark. */
export async function isMarkUsed(db: Db, code: string): Promise<boolean> {
  const { rows } = await sql`select from (${markedPlugins(sql`${code}`)}) marked limit 1`.execute(db);
  return rows.length > 0;
}

/** Locks a mark against deletion until the transaction ends. @returns false for an unknown mark */
export async function lockMark(trx: Db, code: string): Promise<boolean> {
  const { rows } = await sql`select from mark where code = ${code} for key share`.execute(trx);
  return rows.length > 0;
}

/** Adds a mark after the others. @returns its id */
export async function insertMark(trx: Db, mark: Omit<BareMark, 'id'>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into mark (code, name, color, is_hidden, position)
      select ${mark.code}, ${JSON.stringify(mark.name)}, ${mark.color}, ${mark.is_hidden}, coalesce(max(position) + 1, 0)
        from mark returning id`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('insert returned no id');
  return row.id;
}

export async function updateMark(
  trx: Db,
  { id, name, color, is_hidden }: Omit<BareMark, 'code'>,
): Promise<void> {
  await trx
    .updateTable('mark')
    .set({ name: JSON.stringify(name), color, is_hidden })
    .where('id', '=', id)
    .execute();
}

/** Queues everything with a mark for indexing, since the index contains the mark's names. */
export async function reindexMarked(trx: Db, code: string): Promise<void> {
  await sql`
    insert into search_pending (plugin_id, submission_id)
      select id, null::bigint from plugin where plugin_mark = ${code} and plugin_mark <> ''
      union all select null, id from submission where listing ->> 'plugin_mark' = ${code}`.execute(trx);
}

/** Deletes a mark, and removes it from earlier submissions and from deleted plugins. */
export async function deleteMarkRow(trx: Db, { id, code }: { id: number; code: string }): Promise<void> {
  await trx.updateTable('plugin').set({ plugin_mark: '' }).where('plugin_mark', '=', code).execute();
  await sql`
    update submission set listing = jsonb_set(listing, '{plugin_mark}', '""')
      where listing ->> 'plugin_mark' = ${code}`.execute(trx);
  await trx.deleteFrom('mark').where('id', '=', id).execute();
}

/**
 * Sets or removes the mark of a plugin and of its submissions, so that neither a review, a revoked approval nor a change by
 * the publisher restores the old one.
 * @returns false if nothing has changed
 */
export async function writePluginMark(
  trx: Db,
  { pluginId, code }: { pluginId: number; code: string },
): Promise<boolean> {
  const { rows } = await sql`
    update plugin set plugin_mark = ${code} where id = ${pluginId} and plugin_mark <> ${code} returning id`.execute(
    trx,
  );
  const { rows: submitted } = await sql<{ id: number }>`
    update submission set listing = jsonb_set(listing, '{plugin_mark}', to_jsonb(${code}::text))
      where plugin_id = ${pluginId} and not is_superseded and listing ->> 'plugin_mark' <> ${code}
      returning id`.execute(trx);
  await sql`
    insert into search_pending (plugin_id, submission_id)
      select null::bigint, id from unnest(${submitted.map(({ id }) => id)}::bigint[]) id`.execute(trx);
  return rows.length + submitted.length > 0;
}
