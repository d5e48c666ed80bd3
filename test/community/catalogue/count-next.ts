import { countNext as countOnce, type Round } from '../../../server/community/catalogue/rounds/rounds.ts';
import type { Db } from '../../../server/community/schema.ts';
import { until } from '../../support/until.ts';

/** Counts the next batch, after the service under test has looked whether its own round is due. */
export async function countNext(db: Db, round: Round, now: number): Promise<string> {
  return until(async () => {
    const state = await countOnce(db, round, now);
    return state !== 'taken' && state;
  });
}
