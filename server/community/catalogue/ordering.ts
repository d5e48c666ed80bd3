import { sql } from 'kysely';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../people/auth/caller.ts';
import { recordChange } from '../people/trail/store.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';

/** Tables with a manual order, and their names in the audit trail and in messages. */
const KINDS = { tag: 'tag', mark: 'mark', banner: 'banner', featured_work: 'work' } as const;

/**
 * Orders the rows of a locked table; rows that are not listed follow.
 * @throws VALIDATION_FAILED for a repeated id, CONFLICT for a deleted one
 */
export async function putInOrder(
  trx: Db,
  order: {
    table: keyof typeof KINDS;
    ids: readonly number[];
    /** All rows in their current order. */
    known: readonly { id: number }[];
    caller: Caller;
  },
): Promise<void> {
  const { table, ids, caller } = order;
  if (new Set(ids).size < ids.length) throw refusedAt('/ids', `must not name a ${KINDS[table]} twice`);
  const known = order.known.map(({ id }) => id);
  if (ids.some((id) => !known.includes(id))) throw appError('CONFLICT');
  const ordered = [...ids, ...known.filter((id) => !ids.includes(id))];
  if (ordered.every((id, index) => id === known[index])) return;
  await sql`
    update ${sql.table(table)} t set position = wanted.place - 1
      from unnest(${ordered}::bigint[]) with ordinality as wanted (id, place)
      where t.id = wanted.id and t.position <> wanted.place - 1`.execute(trx);
  await recordChange(trx, caller, {
    action: `${KINDS[table]}.order`,
    targetKind: table,
    targetId: 'all',
    targetName: '',
    detail: { order: ordered.join(' ') },
  });
}
