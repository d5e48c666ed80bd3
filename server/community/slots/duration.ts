import { appError } from '../../http/errors.ts';
import { refusedAt } from '../plain-text.ts';

/**
 * Start and end of a slot that is to be added (specification section 5). Every time names its offset from UTC, so neither
 * the server's time zone nor a change of daylight-saving time has a say.
 * @param now milliseconds since 1970
 * @throws DURATION_REQUIRED, END_BEFORE_START, END_BEFORE_NOW; VALIDATION_FAILED for a time that no clock shows
 */
export function slotDuration(
  { start_at, end_at }: { start_at?: string; end_at?: string },
  now: number,
): { start_at: Date; end_at: Date } {
  if (start_at === undefined || end_at === undefined) throw appError('DURATION_REQUIRED');
  const start = momentOf(start_at, '/start_at');
  const end = momentOf(end_at, '/end_at');
  if (end <= start) throw appError('END_BEFORE_START');
  if (end.getTime() <= now) throw appError('END_BEFORE_NOW');
  return { start_at: start, end_at: end };
}

/** A leap second is a time by its format, and none by the clock. */
function momentOf(text: string, pointer: string): Date {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw refusedAt(pointer, 'must be a date-time');
  return moment;
}
