import { countActiveInstalls } from '../installations/active.ts';
import type { UpdatePolicy } from '../installations/update-age.ts';
import type { Round } from '../rounds/rounds.ts';
import { countCohorts, saveActive } from './round-store.ts';

/** Active installs, versions in use and cohorts, counted once on each UTC day. */
export function insightRound(policy: UpdatePolicy): Round {
  return {
    table: 'insight_round',
    isDue: (lastStart, now) => dayOf(lastStart) < dayOf(now),
    batch: 100,
    async count(trx, ids, startedAt) {
      const { counts, versions } = await countActiveInstalls(trx, ids, {
        ...policy,
        now: startedAt.getTime(),
      });
      await saveActive(trx, { ids, counts, versions, day: startedAt });
      await countCohorts(trx, ids, startedAt);
    },
  };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
