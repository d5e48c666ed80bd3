import { AUDIT_PASSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { SlotFault, SlotStatus } from '../../../../shared/entities/site.ts';
import { appError } from '../../../http/errors.ts';
import { parseTimestamp } from '../../plain-text.ts';

type SlotState = { is_disabled: boolean; is_visible: boolean; start_at: Date; end_at: Date };

/**
 * The status of a resource slot at a time (R 7.8): active from its start, expired from its end, both to the
 * millisecond. Disabled slots and slots of invisible plugins are invalid.
 * @param now milliseconds since 1970
 */
export function slotStatus(slot: SlotState, now: number): SlotStatus {
  if (slot.is_disabled || !slot.is_visible) return 'invalid';
  if (now >= slot.end_at.getTime()) return 'expired';
  return now >= slot.start_at.getTime() ? 'active' : 'inactive';
}

/** The facts that make a slot invalid. */
type SlotStatusInput = Pick<SlotState, 'is_disabled'> & {
  is_deleted: boolean;
  is_hidden: boolean;
  audit_status: 1 | 2 | 3;
  has_version: boolean;
};

/** All reasons why a slot is invalid; only one if its plugin was deleted. */
export function slotFaults(slot: SlotStatusInput): SlotFault[] {
  if (slot.is_deleted) return ['plugin_deleted'];
  const own: SlotFault[] = slot.is_disabled ? ['disabled'] : [];
  if (slot.is_hidden) own.push('plugin_hidden');
  if (slot.audit_status === AUDIT_WAITING) return [...own, 'plugin_waiting'];
  if (slot.audit_status !== AUDIT_PASSED) return [...own, 'plugin_refused'];
  return slot.has_version ? own : [...own, 'plugin_without_version'];
}

/**
 * Validates start and end of a new slot (R 7.9). Times have a UTC offset, so neither the server's time zone
 * nor daylight-saving time matters.
 * @param now milliseconds since 1970
 * @throws DURATION_REQUIRED, END_BEFORE_START, END_BEFORE_NOW; VALIDATION_FAILED for an invalid time
 */
export function slotDuration(
  { start_at, end_at }: { start_at?: string; end_at?: string },
  now: number,
): { start_at: Date; end_at: Date } {
  if (start_at === undefined || end_at === undefined) throw appError('DURATION_REQUIRED');
  const start = parseTimestamp(start_at, '/start_at');
  const end = parseTimestamp(end_at, '/end_at');
  if (end <= start) throw appError('END_BEFORE_START');
  if (end.getTime() <= now) throw appError('END_BEFORE_NOW');
  return { start_at: start, end_at: end };
}
