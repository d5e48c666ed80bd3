import { AUDIT_PASSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { SlotFault, SlotStatus } from '../../../shared/entities/site.ts';
import { appError } from '../../http/errors.ts';
import { momentOf } from '../plain-text.ts';

/** What decides the status of a resource slot. */
type SlotState = { is_disabled: boolean; is_visible: boolean; start_at: Date; end_at: Date };

/**
 * The status of a resource slot at a moment (specification section 4): active from its start on and expired from its end
 * on, both to the millisecond. Invalid is one that was invalidated, and one whose plugin cannot be seen.
 * @param now milliseconds since 1970
 */
export function slotStatus(slot: SlotState, now: number): SlotStatus {
  if (slot.is_disabled || !slot.is_visible) return 'invalid';
  if (now >= slot.end_at.getTime()) return 'expired';
  return now >= slot.start_at.getTime() ? 'active' : 'inactive';
}

/** What decides why a slot is invalid: what was done to it, and where its plugin stands. */
type SlotStanding = Pick<SlotState, 'is_disabled'> & {
  is_deleted: boolean;
  is_hidden: boolean;
  audit_status: 1 | 2 | 3;
  has_version: boolean;
};

/** Why a slot is invalid, all of it; empty when it is not. With its plugin deleted nothing else is worth telling. */
export function slotFaults(slot: SlotStanding): SlotFault[] {
  if (slot.is_deleted) return ['plugin_deleted'];
  const own: SlotFault[] = slot.is_disabled ? ['disabled'] : [];
  if (slot.is_hidden) own.push('plugin_hidden');
  if (slot.audit_status === AUDIT_WAITING) return [...own, 'plugin_waiting'];
  if (slot.audit_status !== AUDIT_PASSED) return [...own, 'plugin_refused'];
  return slot.has_version ? own : [...own, 'plugin_without_version'];
}

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
