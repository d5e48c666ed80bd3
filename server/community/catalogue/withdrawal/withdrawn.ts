import { type RawBuilder, sql } from 'kysely';
import type { Withdrawal } from '../../../../shared/entities/plugin.ts';
import { appError } from '../../../http/errors.ts';

/** What of a plugin and its version is withdrawn, as it comes from SQL. */
export type Withdrawn = {
  code: 'PLUGIN_WITHDRAWN' | 'VERSION_WITHDRAWN';
  reason: string;
  withdrawn_at: string;
};

/**
 * SQL for what withholds a version `v` of a plugin `p` from everybody, or null. Every query that leads to a package asks it,
 * whether the plugin is listed, hidden or deleted (R 7.17).
 */
export const WITHDRAWN = sql<Withdrawn | null>`case
  when p.withdrawn_at is not null then jsonb_build_object('code', 'PLUGIN_WITHDRAWN',
    'reason', p.withdrawn_reason, 'withdrawn_at', p.withdrawn_at)
  when v.withdrawn_at is not null then jsonb_build_object('code', 'VERSION_WITHDRAWN',
    'reason', v.withdrawn_reason, 'withdrawn_at', v.withdrawn_at) end`;

/** SQL for the same of a row with these columns alone. */
export function withdrawalOf(table: string): RawBuilder<Withdrawal | null> {
  const at = sql.ref(`${table}.withdrawn_at`);
  return sql`case when ${at} is not null then jsonb_build_object(
    'reason', ${sql.ref(`${table}.withdrawn_reason`)}, 'withdrawn_at', ${at}) end`;
}

/** For the response, with the time as in other responses. */
export function toWithdrawal(found: Withdrawal): Withdrawal;
export function toWithdrawal(found: Withdrawal | null): Withdrawal | null;
export function toWithdrawal(found: Withdrawal | null): Withdrawal | null {
  return found && { reason: found.reason, withdrawn_at: new Date(found.withdrawn_at).toISOString() };
}

/** @throws PLUGIN_WITHDRAWN, VERSION_WITHDRAWN with reason and time */
export function refuseWithdrawn(
  found: Withdrawn | null,
  options: { headers?: Record<string, string> } = {},
): void {
  if (found) throw appError(found.code, { ...options, data: toWithdrawal(found) });
}
