import { sql } from 'kysely';
import { appError } from '../../http/errors.ts';
import { recordChange } from '../people/audit-log/store.ts';
import type { Caller } from '../people/auth/caller.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';

type Kind = {
  /** The name in the audit log. */
  action: string;
  /** The message for a repeated id. */
  twice: string;
  /** Whether plugins refer to its rows, which are locked too, so that no plugin gets one meanwhile. */
  isReferred?: true;
  /** Whether rows that are not listed keep their places; otherwise they follow. */
  keepsOthers?: true;
};

/** Tables with a manual order. */
const KINDS = {
  tag: { action: 'tag', twice: 'must not name a tag twice', isReferred: true },
  mark: { action: 'mark', twice: 'must not name a mark twice', isReferred: true },
  banner: { action: 'banner', twice: 'must not name a banner twice' },
  featured_work: { action: 'work', twice: 'must not name a work twice' },
  editors_collection: { action: 'editors_collection', twice: 'must not name a collection twice' },
  help_article: { action: 'help_article', twice: 'must not contain duplicates', keepsOthers: true },
  help_category: { action: 'help_category', twice: 'must not contain duplicates', keepsOthers: true },
} as const satisfies Readonly<Record<string, Kind>>;

type OrderedTable = keyof typeof KINDS;

/** Serializes changes of the rows of a table, of their number and of their order, until the transaction ends. */
export async function lockOrdered(trx: Db, table: OrderedTable): Promise<void> {
  const { isReferred }: Kind = KINDS[table];
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(trx);
  if (isReferred) await sql`select from ${sql.table(table)} order by id for update`.execute(trx);
}

/**
 * Puts rows into an order, with an entry in the audit log.
 * @throws VALIDATION_FAILED for a repeated id, CONFLICT for a deleted one
 */
export async function putInOrder(
  db: Db,
  table: OrderedTable,
  { ids, caller }: { ids: readonly number[]; caller: Caller },
): Promise<void> {
  const { action, twice, keepsOthers }: Kind = KINDS[table];
  if (new Set(ids).size < ids.length) throw refusedAt('/ids', twice);
  await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, table);
    const known = await readOrder(trx, table);
    if (ids.some((id) => !known.includes(id))) throw appError('CONFLICT');
    const next = [...ids];
    const ordered = keepsOthers
      ? known.map((id) => (ids.includes(id) ? (next.shift() ?? id) : id))
      : [...ids, ...known.filter((id) => !ids.includes(id))];
    if (ordered.every((id, place) => id === known[place])) return;
    await sql`
      update ${sql.table(table)} t set position = wanted.place - 1
        from unnest(${ordered}::bigint[]) with ordinality as wanted (id, place)
        where t.id = wanted.id and t.position <> wanted.place - 1`.execute(trx);
    await recordChange(trx, caller, {
      action: `${action}.order`,
      targetKind: table,
      targetId: 'all',
      targetName: '',
      detail: { order: (keepsOthers ? ids : ordered).join(' ') },
    });
  });
}

async function readOrder(db: Db, table: OrderedTable): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} order by position, id`.execute(db);
  return rows.map(({ id }) => id);
}
