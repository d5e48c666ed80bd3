import { sql } from 'kysely';
import { appError } from '../http/errors.ts';
import type { Caller } from './auth/caller.ts';
import { refusedAt } from './plain-text.ts';
import type { Db } from './schema.ts';
import { recordChange } from './trail/store.ts';

/** What administrators put in order by hand, and the name that it has in the trail and in messages. */
const KINDS = { tag: 'tag', mark: 'mark', banner: 'banner', featured_work: 'work' } as const;

/**
 * Puts all rows of a table in this order; those that are not named stay behind them. To be called with all of them locked.
 * @throws VALIDATION_FAILED for an id that comes twice, CONFLICT for one that is gone
 */
export async function putInOrder(
  trx: Db,
  to: {
    table: keyof typeof KINDS;
    ids: readonly number[];
    /** All rows, in their order until now. */
    known: readonly { id: number }[];
    caller: Caller;
  },
): Promise<void> {
  const { table, ids, caller } = to;
  if (new Set(ids).size < ids.length) throw refusedAt('/ids', `must not name a ${KINDS[table]} twice`);
  const known = to.known.map(({ id }) => id);
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
