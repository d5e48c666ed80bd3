import { randomBytes } from 'node:crypto';
import { addViews } from '../../server/community/catalogue/counters/view-store.ts';
import type { Db } from '../../server/community/schema.ts';

/** Adds views of as many viewers, by plugin. */
export async function addNewViews(db: Db, counts: ReadonlyMap<number, number>, day: Date): Promise<void> {
  const views = [...counts].flatMap(([pluginId, count]) =>
    Array.from({ length: count }, () => ({
      hash: randomBytes(16).toString('hex'),
      pluginId,
      source: 'direct' as const,
      at: day.getTime(),
    })),
  );
  await addViews(db, views, day);
}
