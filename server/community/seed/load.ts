import type { FastifyBaseLogger } from 'fastify';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { loadCatalogue, loadMarks, loadTags } from '../demo/catalogue.ts';
import { reorderByPopularity } from '../popularity/store.ts';
import type { Db } from '../schema.ts';
import {
  hadFirstMarks,
  hadFirstTags,
  insertCatalogue,
  insertFirstMarks,
  insertFirstTags,
  isCatalogueEmpty,
  lockCatalogue,
  readDemoState,
  writeDemoState,
} from './store.ts';

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
    if (!(await isCatalogueEmpty(trx, loadTags()))) return false;
    await insertCatalogue(trx, loadCatalogue(), now());
    await writeDemoState(trx, 'rows');
    return true;
  });
  if (!isLoaded) return;
  await reorderByPopularity(db);
  log.info('loaded the demo catalogue');
}

/**
 * Gives a catalogue that never had a tag the ten of the demo, once and for all: administrators rename, hide and delete
 * them as they like, and none comes back. Answers the languages of their names when it has just done so.
 */
export async function loadFirstTags(db: Db, log: FastifyBaseLogger): Promise<Language[] | undefined> {
  if (await hadFirstTags(db)) return undefined;
  const tags = loadTags();
  const isAdded = await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx);
    return !(await hadFirstTags(trx)) && (await insertFirstTags(trx, tags));
  });
  if (!isAdded) return undefined;
  const languages = LANGUAGES.filter((language) => tags.every(({ name }) => name[language]));
  const names = tags.map(({ code }) => code);
  log.info({ names }, `there were no tags: added a first set, named in ${languages.join(', ')}`);
  return languages;
}

/** Gives a catalogue that never had a mark those of the demo, once and for all. */
export async function loadFirstMarks(db: Db): Promise<void> {
  if (await hadFirstMarks(db)) return;
  await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx);
    if (!(await hadFirstMarks(trx))) await insertFirstMarks(trx, loadMarks());
  });
}
