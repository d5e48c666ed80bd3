import { BACKSTAGE_PAGE_SIZE, BASE_PATH } from '../../../../shared/constants.ts';
import type { ResourceSlot } from '../../../../shared/entities/site.ts';
import type { Language } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { slotRoutes } from '../../../../shared/routes/slot.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { appError } from '../../../http/errors.ts';
import { findUsable } from '../../catalogue/plugins/store.ts';
import { nameIn } from '../../names.ts';
import { cutPage, decodeCursor, LatestPlace } from '../../pages.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { slotDuration, slotFaults, slotStatus } from './status.ts';
import {
  countSlots,
  insertSlot,
  lockSlotRow,
  readSlotRow,
  readSlotRows,
  type SlotRow,
  setDisabled,
  updateSlot,
} from './store.ts';

type Routes = typeof slotRoutes;
/** `now`: milliseconds since 1970. */
type CallContext = { caller: Caller; now: number; language: Language };

const LIST = ['slots'];

/**
 * Adds a resource slot, by default with a link to the plugin's page. Slots may overlap.
 * @throws DURATION_REQUIRED, END_BEFORE_START, END_BEFORE_NOW, LINK_INVALID, PLUGIN_NOT_FOUND
 */
export async function addSlot(
  db: Db,
  body: BodyOf<Routes['addSlot']>,
  context: CallContext,
): Promise<ResourceSlot> {
  const { caller, now } = context;
  const duration = slotDuration(body, now);
  const link = linkOf(body.link, body.plugin_key);
  return db.transaction().execute(async (trx) => {
    const plugin_id = await findUsable(trx, body.plugin_key);
    if (plugin_id === undefined) throw appError('PLUGIN_NOT_FOUND');
    const added = { plugin_id, link, created_by: caller.user_id, created_at: new Date(now), ...duration };
    const row = await readSlotRow(trx, await insertSlot(trx, added));
    if (!row) throw appError('PLUGIN_NOT_FOUND');
    await recordSlotChange(trx, 'slot.add', row, caller);
    return toSlot(row, context);
  });
}

/**
 * Changes the given fields of a slot. An unchanged plugin or end is not checked again, so that past slots, and those of
 * hidden plugins, can be changed.
 * @throws NOT_FOUND, END_BEFORE_START, END_BEFORE_NOW, LINK_INVALID, PLUGIN_NOT_FOUND
 */
export async function changeSlot(
  db: Db,
  change: BodyOf<Routes['changeSlot']>,
  context: CallContext,
): Promise<ResourceSlot> {
  return db.transaction().execute(async (trx) => {
    const before = await lockSlotRow(trx, change.id);
    if (!before) throw appError('NOT_FOUND');
    const wanted = await mergeSlot(trx, before, change, context.now);
    await updateSlot(trx, { id: change.id, ...wanted });
    const row = await readSlotRow(trx, change.id);
    if (!row) throw appError('NOT_FOUND');
    const [is, was] = [factsOf(row), factsOf(before)];
    if (FACTS.some((fact) => is[fact] !== was[fact])) {
      await recordSlotChange(trx, 'slot.change', row, context.caller, before);
    }
    return toSlot(row, context);
  });
}

/**
 * Disables or restores a slot; idempotent.
 * @throws NOT_FOUND; SLOT_PLUGIN_GONE for restoring a slot of a deleted plugin
 */
export async function disableSlot(
  db: Db,
  { id, is_disabled }: QueryOf<Routes['disableSlot']>,
  context: CallContext,
): Promise<ResourceSlot> {
  return db.transaction().execute(async (trx) => {
    const before = await lockSlotRow(trx, id);
    if (!before) throw appError('NOT_FOUND');
    if (!is_disabled && before.is_deleted) throw appError('SLOT_PLUGIN_GONE');
    const isChanged = await setDisabled(trx, id, is_disabled);
    const row = { ...before, is_disabled };
    if (isChanged)
      await recordSlotChange(trx, is_disabled ? 'slot.disable' : 'slot.restore', row, context.caller);
    return toSlot(row, context);
  });
}

/** @throws BAD_CURSOR */
export async function listSlots(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listSlots']>,
  context: Omit<CallContext, 'caller'>,
): Promise<DataOf<Routes['listSlots']>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, LIST, LatestPlace);
  const [found, total] = await Promise.all([readSlotRows(db, { after, limit: limit + 1 }), countSlots(db)]);
  const { rows, next_cursor } = cutPage(found, limit, {
    list: LIST,
    placeOf: ({ created_at, id }) => [created_at.getTime(), id],
  });
  return {
    ...cappedTotal(total),
    next_cursor,
    slot_list: rows.map((row) => toSlot(row, context)),
  };
}

async function mergeSlot(
  trx: Db,
  before: SlotRow,
  { plugin_key = before.plugin_key, link, start_at, end_at }: BodyOf<Routes['changeSlot']>,
  now: number,
) {
  const isSamePlugin = plugin_key === before.plugin_key;
  const plugin_id = isSamePlugin ? before.plugin_id : await findUsable(trx, plugin_key);
  if (plugin_id === undefined) throw appError('PLUGIN_NOT_FOUND');
  const current = before.link === pageOf(before.plugin_key) ? '' : before.link;
  const times = {
    start_at: start_at ?? before.start_at.toISOString(),
    end_at: end_at ?? before.end_at.toISOString(),
  };
  const isSameEnd = new Date(times.end_at).getTime() === before.end_at.getTime();
  return {
    plugin_id,
    link: linkOf(link ?? current, plugin_key),
    ...slotDuration(times, isSameEnd ? Number.NEGATIVE_INFINITY : now),
  };
}

function pageOf(pluginKey: string): string {
  return `${BASE_PATH}plugin/${pluginKey}`;
}

function linkOf(link: string | undefined, pluginKey: string): string {
  if (!link?.trim()) return pageOf(pluginKey);
  const checked = siteLink(link);
  if (checked === null) throw appError('LINK_INVALID');
  return checked;
}

function toSlot(row: SlotRow, { now, language }: Omit<CallContext, 'caller'>): ResourceSlot {
  return {
    id: row.id,
    plugin_key: row.plugin_key,
    name: nameIn(row, language),
    icon: row.icon,
    cover: row.cover,
    link: row.link,
    start_at: row.start_at.toISOString(),
    end_at: row.end_at.toISOString(),
    is_disabled: row.is_disabled,
    status: slotStatus(row, now),
    faults: slotFaults(row),
  };
}

const FACTS = ['plugin_key', 'link', 'start_at', 'end_at'] as const;

function factsOf(row: SlotRow): Record<(typeof FACTS)[number], string> {
  return {
    plugin_key: row.plugin_key,
    link: row.link,
    start_at: row.start_at.toISOString(),
    end_at: row.end_at.toISOString(),
  };
}

async function recordSlotChange(
  db: Db,
  action: string,
  row: SlotRow,
  caller: Caller,
  before?: SlotRow,
): Promise<void> {
  const was = Object.entries(before ? factsOf(before) : {}).map(([fact, value]) => [`before_${fact}`, value]);
  await recordChange(db, caller, {
    action,
    targetKind: 'slot',
    targetId: row.id,
    targetName: row,
    detail: { ...factsOf(row), ...Object.fromEntries(was) },
  });
}
