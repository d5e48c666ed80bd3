import { sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { PLUGIN_PICTURES } from '../../catalogue/plugins/card-store.ts';
import { namesOf } from '../../names.ts';
import { boundedCount } from '../../pages.ts';
import type { Db } from '../../schema.ts';

/** Maximum slots on the home page. */
const SLOTS_SHOWN = 24;

/** A slot, with the facts that decide if its plugin is visible. */
export type SlotRow = {
  id: number;
  plugin_id: number;
  plugin_key: string;
  default_lang: Language;
  names: Texts;
  icon: Picture | null;
  cover: Picture | null;
  link: string;
  start_at: Date;
  end_at: Date;
  is_disabled: boolean;
  is_visible: boolean;
  is_deleted: boolean;
  is_hidden: boolean;
  audit_status: 1 | 2 | 3;
  has_version: boolean;
  created_at: Date;
};

const slots = sql`
  select s.id, s.plugin_id, p.plugin_key, p.default_lang, p.is_visible, p.deleted_at is not null as is_deleted, p.is_hidden,
      p.audit_status, p.current_version_id is not null as has_version,
      ${namesOf('p.id')} as names,
      ${PLUGIN_PICTURES},
      s.link, s.start_at, s.end_at, s.is_disabled, s.created_at
    from resource_slot s join plugin p on p.id = s.plugin_id`;

type NewSlot = {
  plugin_id: number;
  link: string;
  start_at: Date;
  end_at: Date;
  created_by: number;
  created_at: Date;
};

export async function insertSlot(db: Db, slot: NewSlot): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into resource_slot (plugin_id, link, start_at, end_at, created_by, created_at)
      values (${slot.plugin_id}, ${slot.link}, ${slot.start_at}, ${slot.end_at}, ${slot.created_by}, ${slot.created_at})
      returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a slot was stored without an id');
  return row.id;
}

/** Reads a slot and locks it until the transaction ends. */
export async function lockSlotRow(trx: Db, id: number): Promise<SlotRow | undefined> {
  const { rows } = await sql<SlotRow>`${slots} where s.id = ${id} for no key update of s`.execute(trx);
  return rows[0];
}

export async function updateSlot(
  trx: Db,
  { id, plugin_id, link, start_at, end_at }: Omit<NewSlot, 'created_by' | 'created_at'> & { id: number },
): Promise<void> {
  await sql`
    update resource_slot set plugin_id = ${plugin_id}, link = ${link}, start_at = ${start_at}, end_at = ${end_at}
      where id = ${id}`.execute(trx);
}

/** @returns false if nothing has changed */
export async function setDisabled(db: Db, id: number, isDisabled: boolean): Promise<boolean> {
  const { rows } = await sql`
    update resource_slot set is_disabled = ${isDisabled} where id = ${id} and is_disabled <> ${isDisabled}
      returning id`.execute(db);
  return rows.length > 0;
}

export async function readSlotRow(db: Db, id: number): Promise<SlotRow | undefined> {
  const { rows } = await sql<SlotRow>`${slots} where s.id = ${id}`.execute(db);
  return rows[0];
}

/** Reads slots, newest first; `after` is the time and id of the last row of the previous page. */
export async function readSlotRows(
  db: Db,
  { after, limit }: { after: readonly [number, number] | undefined; limit: number },
): Promise<SlotRow[]> {
  const { rows } = await sql<SlotRow>`
    ${slots} ${after ? sql`where (s.created_at, s.id) < (${new Date(after[0])}, ${after[1]})` : sql``}
      order by s.created_at desc, s.id desc limit ${limit}`.execute(db);
  return rows;
}

export function countSlots(db: Db): Promise<number> {
  return boundedCount(db, sql`from resource_slot`);
}

type ActiveSlotRow = { id: number; link: string; plugin_id: number; plugin_key: string };

/** Reads active slots of visible plugins, latest start first. */
export async function readActiveSlotRows(db: Db, at: Date): Promise<ActiveSlotRow[]> {
  const { rows } = await sql<ActiveSlotRow>`
    select s.id, s.link, s.plugin_id, p.plugin_key from resource_slot s join plugin p on p.id = s.plugin_id
      where not s.is_disabled and s.end_at > ${at} and s.start_at <= ${at} and p.is_visible
      order by s.start_at desc, s.id desc limit ${SLOTS_SHOWN}`.execute(db);
  return rows;
}
