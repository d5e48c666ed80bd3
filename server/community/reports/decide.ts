import type { Report } from '../../../shared/entities/site.ts';
import { type Language, textIn } from '../../../shared/languages.ts';
import type { BodyOf } from '../../../shared/route.ts';
import type { reportRoutes } from '../../../shared/routes/report.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { changeLocked, HIDING } from '../manage/manage.ts';
import { lockPlugin } from '../manage/store.ts';
import { insertNotices } from '../notices/store.ts';
import { rememberPerson } from '../people.ts';
import { neededText, plainText, refusedAt } from '../plain-text.ts';
import { findPlugin } from '../plugins/store.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import { decideOpenReport, type NewDecision, type ReportRow, readReportRow, toReport } from './store.ts';

const ACTIONS = { accepted: 'report.accept', dismissed: 'report.dismiss' } as const;

/**
 * Decides a report, and warns the publisher or hides the plugin of one that is upheld if that is asked for. Of two who
 * decide at once one wins; the same decision by the same person again is harmless.
 * @throws NOT_FOUND, ALREADY_DECIDED with who, when and what; VALIDATION_FAILED
 */
export async function decideReport(
  db: Db,
  { id, state, decision = '', is_hidden: hides, warning }: BodyOf<(typeof reportRoutes)['decideReport']>,
  { caller, now, language }: { caller: Caller; now: number; language: Language },
): Promise<Report> {
  const misplaced = hides ? '/is_hidden' : warning === undefined ? undefined : '/warning';
  if (misplaced && state !== 'accepted') throw refusedAt(misplaced, 'goes with state accepted');
  const decided: NewDecision = {
    ...{ id, state, decision: plainText(decision, '/decision') || null },
    warning: warning === undefined ? null : neededText(warning, '/warning'),
    is_hiding: hides ?? false,
    ...{ decided_by: caller.user_id, decided_at: new Date(now) },
  };
  return db.transaction().execute(async (trx) => {
    const isFirst = await decideOpenReport(trx, decided);
    if (isFirst) await rememberPerson(trx, caller);
    if (isFirst && hides) await hidePlugin(trx, id, caller);
    const row = await readReportRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    if (isFirst) {
      await note(trx, ACTIONS[state], row, caller);
      await tellReporter(trx, row, decided.decided_at);
      await tellPublisher(trx, row, decided.decided_at);
    } else if (!isSame(row, decided)) throw appError('ALREADY_DECIDED', { data: conflictOf(row) });
    return toReport(row, language);
  });
}

async function hidePlugin(trx: Db, reportId: number, caller: Caller): Promise<void> {
  const reported = await readReportRow(trx, reportId);
  const plugin = reported && (await lockPlugin(trx, reported.plugin_key));
  if (plugin) await changeLocked(trx, HIDING, { plugin, pluginKey: reported.plugin_key, isOn: true, caller });
}

async function tellReporter(trx: Db, row: ReportRow, at: Date): Promise<void> {
  const { plugin_key, state, decision, reporter } = row;
  const data = {
    ...{ plugin_key, plugin_name: nameOf(row), is_upheld: state === 'accepted' },
    ...(decision !== null && { reason: decision }),
  };
  await insertNotices(trx, [{ userId: reporter.user_id, kind: 'report_decided', data }], at);
}

/** Tells the publisher that they are warned, or that their plugin was hidden, and why. */
async function tellPublisher(trx: Db, row: ReportRow, at: Date): Promise<void> {
  const { plugin_key, warning, is_hiding } = row;
  if (!is_hiding && warning === null) return;
  const data = { plugin_key, plugin_name: nameOf(row), ...(warning !== null && { reason: warning }) };
  const kind = is_hiding ? ('plugin_hidden' as const) : ('plugin_warned' as const);
  const plugin = await findPlugin(trx, row.plugin_key);
  if (plugin) await insertNotices(trx, [{ userId: plugin.publisher_id, kind, data }], at);
}

function nameOf({ names, default_lang }: ReportRow): string {
  return textIn(names, default_lang, default_lang).text;
}

function isSame(row: ReportRow, decided: NewDecision): boolean {
  return (
    row.decided_by?.user_id === decided.decided_by &&
    row.state === decided.state &&
    row.decision === decided.decision &&
    row.warning === decided.warning &&
    row.is_hiding === decided.is_hiding
  );
}

function conflictOf({ decided_by, decided_at, state, decision }: ReportRow) {
  return { by: decided_by, at: decided_at?.toISOString() ?? null, state, reason: decision };
}

function note(db: Db, action: string, row: ReportRow, caller: Caller): Promise<void> {
  return writeTrail(db, {
    actorId: caller.user_id,
    action,
    targetKind: 'report',
    targetId: row.id,
    targetName: nameOf(row),
    detail: {
      plugin_key: row.plugin_key,
      kind: row.kind,
      reason: row.decision,
      ...(row.warning !== null && { warning: row.warning }),
    },
  });
}
