import type { FastifyInstance } from 'fastify';
import type { UpdateAge } from '../../../../shared/entities/client.ts';
import { refusedAt } from '../../plain-text.ts';

/** What the site says about the age of updates (settings UPDATE_MIN_AGE and UPDATE_AGE_CHOICE). */
export type UpdatePolicy = {
  /** Days since the approval after which a version replaces an installed one. */
  days: number;
  /** What people may choose: a longer time, or any. */
  choice: 'longer' | 'any';
};

/** The policy at a time, in milliseconds since 1970. */
export type UpdatePolicyAt = UpdatePolicy & { now: number };

export function updatePolicyNow({ community, clock }: FastifyInstance): UpdatePolicyAt {
  return { ...community.updates, now: clock() };
}

const DAY = 86_400_000;

/** @param own days that the person has chosen; null without a choice */
export function updateAgeOf({ days, choice }: UpdatePolicy, own: number | null): UpdateAge {
  const shortest = choice === 'any' ? 0 : days;
  return { days: Math.max(own ?? days, shortest), own, site: days, shortest };
}

/** @throws VALIDATION_FAILED for a shorter time than the site allows */
export function checkChosenAge(policy: UpdatePolicy, days: number | undefined): void {
  const { shortest } = updateAgeOf(policy, null);
  if (days !== undefined && days < shortest) throw refusedAt('/days', `must be ${shortest} or more`);
}

/** When a version is old enough to replace an installed one, in milliseconds since 1970. */
export function ripeAt(
  version: { approved_at: string },
  { policy, own }: { policy: UpdatePolicy; own: number | null },
): number {
  return Date.parse(version.approved_at) + updateAgeOf(policy, own).days * DAY;
}
