import { sql } from 'kysely';
import { AUDIT_ALL, AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Ordered } from '../../backstage-list/store.ts';

type Shape = Pick<Ordered, 'key' | 'direction' | 'ranges' | 'search'>;

const search = (table: string) => ({ table: sql.table(table), id: sql`submission_id`, words: sql`words` });
const everything = search('submission_search');

const decided = (status: typeof AUDIT_PASSED | typeof AUDIT_REFUSED): Shape => ({
  key: sql`coalesce(l.decided_at, l.created_at)`,
  direction: 'desc',
  ranges: [sql`(l.audit_status = ${sql.lit(status)} and l.audit_status in (2, 3))`],
  search: everything,
});

/** What waits longest comes first; what is decided by the latest decision; all by what was submitted last. */
const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [
    AUDIT_ALL,
    { key: sql`l.created_at`, direction: 'desc', ranges: [sql`not l.is_superseded`], search: everything },
  ],
  [
    AUDIT_WAITING,
    {
      key: sql`l.created_at`,
      direction: 'asc',
      ranges: [sql`(l.audit_status = 1 and not l.is_superseded)`],
      search: search('waiting_search'),
    },
  ],
  [AUDIT_PASSED, decided(AUDIT_PASSED)],
  [AUDIT_REFUSED, decided(AUDIT_REFUSED)],
]);

/** The review list of a status. */
export function queueOrder(status: number): Ordered {
  const shape = SHAPES.get(status);
  if (!shape) throw new RangeError(`not an audit status: ${status}`);
  return {
    from: sql`submission l`,
    id: sql`l.id`,
    keyKind: 'time',
    ...shape,
  };
}
