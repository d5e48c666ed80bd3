import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import type { FileStore } from '../media/files.ts';
import { openPictures } from '../media/pictures.ts';
import type { Db } from '../schema.ts';
import { loadCatalogue, loadMarks, loadTags, picturePath } from './catalogue.ts';
import { type DemoParts, publishDemo } from './publish-demo.ts';
import {
  hadFirstMarks,
  hadFirstTags,
  hasDemo,
  insertFirstMarks,
  insertFirstTags,
  insertSite,
  isCatalogueEmpty,
  lockCatalogue,
  writeDemoState,
} from './store.ts';

/**
 * Fills an empty catalogue with all of the demo but its plugins, once and for all: what administrators later delete
 * stays deleted. The plugins are published afterwards.
 */
export async function loadDemo(
  db: Db,
  { files, log }: { files: FileStore; log: FastifyBaseLogger },
): Promise<void> {
  if ((await hasDemo(db)) || !(await isCatalogueEmpty(db, loadTags()))) return;
  const catalogue = loadCatalogue();
  const { keep } = openPictures(files);
  const kept = (name: string) => keep({ content: picturePath(name) });
  const [banners, featured, activity] = await Promise.all([
    Promise.all(catalogue.banners.map(({ id }) => kept(`banners/${id}`))),
    Promise.all(catalogue.featured.map(({ id }) => kept(`works/${id}`))),
    kept('activity'),
  ]);
  const isLoaded = await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx);
    if ((await hasDemo(trx)) || !(await isCatalogueEmpty(trx, catalogue.tags))) return false;
    await insertSite(trx, catalogue, { banners, featured, activity });
    await writeDemoState(trx, 'begun');
    return true;
  });
  if (isLoaded) log.info('began the demo catalogue');
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

/** Goes on with the demo catalogue once the app listens; stops after the plugin at hand on close. */
export function publishDemoLater(app: FastifyInstance, parts: DemoParts): void {
  const stop = new AbortController();
  let publishing: Promise<void> | undefined;
  app.addHook('onListen', async () => {
    publishing = publishDemo(parts, { signal: stop.signal }).catch((error: unknown) =>
      parts.log.error({ err: error }, 'the demo catalogue could not be finished'),
    );
  });
  app.addHook('onClose', async () => {
    stop.abort();
    await publishing;
  });
}
