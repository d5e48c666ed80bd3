import type { SlotStatus } from '../../../shared/entities/site.ts';

/** What decides the status of a resource slot. */
export type SlotState = { is_disabled: boolean; is_visible: boolean; start_at: Date; end_at: Date };

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
