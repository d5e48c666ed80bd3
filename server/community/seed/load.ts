import type { FastifyBaseLogger } from 'fastify';
import { loadCatalogue } from '../demo/catalogue.ts';
import { reorderByPopularity } from '../popularity/store.ts';
import type { Db } from '../schema.ts';
import { insertCatalogue, isCatalogueEmpty, lockCatalogue, readDemoState, writeDemoState } from './store.ts';

/**
 * Fills an empty catalogue with the demo, once and for all: what administrators later delete stays deleted. All rows
 * come in one transaction; the pictures are made afterwards while the service already answers.
 */
export async function loadDemo(
  db: Db,
  { log, now }: { log: FastifyBaseLogger; now: () => number },
): Promise<void> {
  if ((await readDemoState(db)) !== undefined) return;
  const isLoaded = await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx);
    if (!(await isCatalogueEmpty(trx))) return false;
    await insertCatalogue(trx, loadCatalogue(), now());
    await writeDemoState(trx, 'rows');
    return true;
  });
  if (!isLoaded) return;
  await reorderByPopularity(db);
  log.info('loaded the demo catalogue');
}
