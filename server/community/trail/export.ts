import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { csvLine } from './csv.ts';
import { readTrailSpan, type TrailRow } from './store.ts';

/** By this, spreadsheets know that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const HEAD = [
  'time',
  'actor_id',
  'actor',
  'action',
  'target_kind',
  'target_id',
  'target',
  'reason',
  'detail',
] as const;
const ROWS_AT_ONCE = 1000;

/** A span of time: `from` belongs to it, `until` does not. */
export type Span = { from: Date; until: Date };

/**
 * The span of a request; open ends are those of the calendar.
 * @throws VALIDATION_FAILED for a time that no clock shows
 */
export function spanOf({ from, until }: { from?: string; until?: string }): Span {
  return {
    from: momentOf(from ?? '1970-01-01T00:00:00Z', '/from'),
    until: momentOf(until ?? '9999-12-31T23:59:59Z', '/until'),
  };
}

function momentOf(text: string, pointer: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw refusedAt(pointer, 'must be a date-time');
  return moment;
}

/** The trail as CSV, oldest first, read as fast as it is taken: memory does not grow with its length. */
export async function* trailCsv(db: Db, span: Span, rowsAtOnce = ROWS_AT_ONCE): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEAD);
  let after: readonly [Date, number] | undefined;
  while (true) {
    const rows = await readTrailSpan(db, { ...span, after }, rowsAtOnce);
    if (rows.length > 0) yield rows.map(lineOf).join('');
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = [last.created_at, last.id];
  }
}

function lineOf({
  created_at,
  actor,
  action,
  target_kind,
  target_id,
  target_name,
  detail,
}: TrailRow): string {
  const { reason = '', ...rest } = detail;
  return csvLine([
    created_at.toISOString(),
    String(actor.user_id),
    actor.nick_name,
    action,
    target_kind,
    target_id,
    target_name,
    String(reason ?? ''),
    JSON.stringify(rest),
  ]);
}
