import { type RawBuilder, sql } from 'kysely';
import type { WithdrawalReason } from '../../../../shared/constants.ts';
import type { Withdrawal } from '../../../../shared/entities/plugin.ts';
import { FALLBACK_LANGUAGE, type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';

/** A withdrawal as it comes from SQL. */
export type WithdrawalRow = {
  reason: WithdrawalReason;
  texts: Texts;
  must_stop: boolean;
  withdrawn_at: string;
};

/** What of a plugin and its version is withdrawn, as it comes from SQL. */
export type Withdrawn = WithdrawalRow & { code: 'PLUGIN_WITHDRAWN' | 'VERSION_WITHDRAWN' };

const OF = {
  p: sql`w.plugin_id = p.id and w.plugin_version_id is null`,
  v: sql`w.plugin_version_id = v.id`,
};

/** SQL for the withdrawal of a plugin `p` or of a version `v` alone, or null. */
export function withdrawalOf(table: 'p' | 'v'): RawBuilder<WithdrawalRow | null> {
  return sql`case when ${sql.ref(`${table}.withdrawn_at`)} is not null then (
    select jsonb_build_object('reason', w.reason, 'texts', w.texts, 'must_stop', w.must_stop,
        'withdrawn_at', w.withdrawn_at)
      from withdrawal w where ${OF[table]} and w.restored_at is null) end`;
}

/**
 * SQL for what withholds a version `v` of a plugin `p` from everybody, or null. Every query that leads to a package asks it,
 * whether the plugin is listed, hidden or deleted (R 7.17).
 */
export const WITHDRAWN = sql<Withdrawn | null>`coalesce(
  ${withdrawalOf('p')} || '{"code":"PLUGIN_WITHDRAWN"}', ${withdrawalOf('v')} || '{"code":"VERSION_WITHDRAWN"}')`;

/** For the response: the text in the reader's language, and the time as in other responses. */
export function toWithdrawal(found: WithdrawalRow, language: Language): Withdrawal;
export function toWithdrawal(found: WithdrawalRow | null, language: Language): Withdrawal | null;
export function toWithdrawal(found: WithdrawalRow | null, language: Language): Withdrawal | null {
  if (!found) return null;
  const { text, lang } = textIn(found.texts, language, FALLBACK_LANGUAGE);
  return {
    reason: found.reason,
    text,
    text_lang: lang,
    must_stop: found.must_stop,
    withdrawn_at: new Date(found.withdrawn_at).toISOString(),
  };
}

/** @throws PLUGIN_WITHDRAWN, VERSION_WITHDRAWN with reason, text and time */
export function refuseWithdrawn(
  found: Withdrawn | null,
  language: Language,
  options: { headers?: Record<string, string> } = {},
): void {
  if (found) throw appError(found.code, { ...options, data: toWithdrawal(found, language) });
}
