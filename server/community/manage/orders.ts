import { sql } from 'kysely';
import { AUDIT_ALL, AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { QueryOf } from '../../../shared/route.ts';
import type { manageRoutes } from '../../../shared/routes/manage.ts';
import type { Ordered } from '../backstage-list/store.ts';

export type ManagedSort = NonNullable<QueryOf<(typeof manageRoutes)['listManagedPlugins']>['sort']>;

/** Columns of `managed_plugin`; all are sorted from the greatest down. */
const KEYS: Readonly<Record<ManagedSort, Pick<Ordered, 'key' | 'keyKind'>>> = {
  latest: { key: sql`l.updated_at`, keyKind: 'time' },
  installs: { key: sql`l.install_count`, keyKind: 'number' },
  likes: { key: sql`l.praise_count`, keyKind: 'number' },
  views: { key: sql`l.view_count`, keyKind: 'number' },
  recommended: { key: sql`l.recommended_rank`, keyKind: 'number' },
};

const STATUSES = [AUDIT_WAITING, AUDIT_PASSED, AUDIT_REFUSED] as const;

/** All plugins, or those of a status, in an order: an index begins with the status, so all are three ranges. */
export function managedOrder(status: number, sort: ManagedSort): Ordered {
  const statuses = STATUSES.filter((one) => status === AUDIT_ALL || status === one);
  return {
    from: sql`managed_plugin l`,
    id: sql`l.plugin_id`,
    direction: 'desc',
    ranges: statuses.map((one) => sql`l.audit_status = ${sql.lit(one)}`),
    search: { table: sql`plugin_search`, id: sql`plugin_id`, words: sql`"full"` },
    ...KEYS[sort],
  };
}
