import type { Report } from '../../../../shared/entities/site.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { reportRoutes } from '../../../../shared/routes/report.ts';
import { appError } from '../../../http/errors.ts';
import { findPlugin, lockPlugin } from '../../catalogue/plugins/store.ts';
import { propose } from '../../catalogue/withdrawal/propose.ts';
import type { NewWithdrawal, Withdrawing } from '../../catalogue/withdrawal/store.ts';
import { askedWithdrawal, withdraw } from '../../catalogue/withdrawal/withdrawal.ts';
import { writeAuditLog } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import { upsertUser } from '../../people/users.ts';
import { plainText, refusedAt, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { changeLocked, HIDING } from '../manage/manage.ts';
import { decideOpenReport, type NewDecision, type ReportRow, readReportRow, toReport } from './store.ts';

/**
 * Decides a report; for an accepted one, the decision may also warn the publisher, hide the plugin, or withdraw it or propose that. Of two simultaneous
 * decisions the first wins; a repeated decision by the same administrator changes nothing.
 * @throws NOT_FOUND, ALREADY_DECIDED with who, when and what; VALIDATION_FAILED
 */
export async function decideReport(
  db: Db,
  { id, state, decision = '', is_hidden, warning, withdrawal }: BodyOf<(typeof reportRoutes)['decideReport']>,
  { caller, now, language, fourEyes }: { caller: Caller; now: number; language: Language; fourEyes: boolean },
): Promise<Report> {
  const isHiding = is_hidden === true;
  const withdrawn =
    withdrawal && askedWithdrawal({ is_withdrawn: true, ...withdrawal }, { pointer: '/withdrawal' });
  const [misplaced] = Object.entries({ is_hidden, warning, withdrawal }).flatMap(([name, value]) =>
    value === undefined ? [] : [`/${name}`],
  );
  if (misplaced !== undefined && state !== 'accepted') throw refusedAt(misplaced, 'goes with state accepted');
  const decided: NewDecision = {
    id,
    state,
    decision: plainText(decision, '/decision') || null,
    warning: warning === undefined ? null : requiredText(warning, '/warning'),
    is_hiding: isHiding,
    is_withdrawing: withdrawn !== undefined && !fourEyes,
    decided_by: caller.user_id,
    decided_at: new Date(now),
  };
  return db.transaction().execute(async (trx) => {
    const isFirst = await decideOpenReport(trx, decided);
    if (isFirst) await upsertUser(trx, caller);
    if (isFirst && isHiding) await hidePlugin(trx, id, caller);
    if (isFirst && withdrawn)
      await withdrawReported(trx, id, withdrawn, { caller, at: decided.decided_at, fourEyes });
    const row = await readReportRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    if (isFirst) {
      await recordDecision(trx, row, caller);
      await notifyReporter(trx, row, decided);
      await notifyPublisher(trx, row, decided);
    } else if (!isSame(row, decided)) throw appError('ALREADY_DECIDED', { data: conflictOf(row) });
    return toReport(row, language);
  });
}

async function hidePlugin(trx: Db, reportId: number, caller: Caller): Promise<void> {
  const reported = await readReportRow(trx, reportId);
  const plugin = reported && (await lockPlugin(trx, reported.plugin_key));
  if (plugin) await changeLocked(trx, HIDING, { plugin, pluginKey: reported.plugin_key, isOn: true, caller });
}

async function withdrawReported(
  trx: Db,
  reportId: number,
  withdrawal: NewWithdrawal,
  { fourEyes, ...withdrawing }: Withdrawing & { fourEyes: boolean },
): Promise<void> {
  const reported = await readReportRow(trx, reportId);
  if (!reported) return;
  // What another administrator has proposed stays: the report is decided either way.
  await (fourEyes ? propose : withdraw)(trx, { pluginKey: reported.plugin_key }, withdrawal, withdrawing);
}

async function notifyReporter(
  trx: Db,
  row: ReportRow,
  { decided_at: at, decided_by: actorId }: NewDecision,
): Promise<void> {
  const { plugin_key, state, decision, reporter } = row;
  const data = {
    plugin_key,
    ...noticeNames(row),
    is_upheld: state === 'accepted',
    ...(decision !== null && { reason: decision }),
  };
  await insertNotices(trx, [{ userId: reporter.user_id, kind: 'report_decided', data, actorId }], at);
}

/** Notifies the publisher of a warning, or that the plugin was hidden, with the reason. */
async function notifyPublisher(
  trx: Db,
  row: ReportRow,
  { decided_at: at, decided_by: actorId }: NewDecision,
): Promise<void> {
  const { plugin_key, warning, is_hiding } = row;
  if (!is_hiding && warning === null) return;
  const data = { plugin_key, ...noticeNames(row), ...(warning !== null && { reason: warning }) };
  const kind = is_hiding ? ('plugin_hidden' as const) : ('plugin_warned' as const);
  const plugin = await findPlugin(trx, row.plugin_key);
  if (plugin) await insertNotices(trx, [{ userId: plugin.publisher_id, kind, data, actorId }], at);
}

function isSame(row: ReportRow, decided: NewDecision): boolean {
  return (
    row.decided_by?.user_id === decided.decided_by &&
    row.state === decided.state &&
    row.decision === decided.decision &&
    row.warning === decided.warning &&
    row.is_hiding === decided.is_hiding &&
    row.is_withdrawing === decided.is_withdrawing
  );
}

function conflictOf({ decided_by, decided_at, state, decision }: ReportRow) {
  return { by: decided_by, at: decided_at?.toISOString() ?? null, state, reason: decision };
}

function recordDecision(trx: Db, row: ReportRow, caller: Caller): Promise<void> {
  return writeAuditLog(trx, {
    actorId: caller.user_id,
    action: row.state === 'accepted' ? 'report.accept' : 'report.dismiss',
    targetKind: 'report',
    targetId: row.id,
    targetName: row,
    detail: {
      plugin_key: row.plugin_key,
      kind: row.kind,
      reason: row.decision,
      ...(row.warning !== null && { warning: row.warning }),
    },
  });
}
