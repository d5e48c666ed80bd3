import type { FastifyBaseLogger } from 'fastify';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { openPictures } from '../files/media/pictures.ts';
import type { Db } from '../schema.ts';
import { loadCatalogue, loadFirstContent, picturePath } from './catalogue.ts';
import type { DemoOptions } from './publish-demo.ts';
import {
  hasRows,
  insertHelp,
  insertMarks,
  insertSite,
  insertTags,
  isCatalogueEmpty,
  isHelpUnused,
  lockCatalogue,
  readSetting,
  type Setting,
  writeSetting,
} from './store.ts';

/** Fills an empty catalogue with the site's parts of the demo, once: deleted content stays deleted. */
export async function loadDemo(db: Db, { files, log }: Pick<DemoOptions, 'files' | 'log'>): Promise<void> {
  if ((await readSetting(db, 'demo_catalogue')) !== undefined) return;
  const { tags } = loadFirstContent();
  if (!(await isCatalogueEmpty(db, tags))) return;
  const catalogue = loadCatalogue();
  const { keep } = openPictures(files);
  const store = (name: string) => keep({ content: picturePath(name) });
  const banners = await Promise.all(catalogue.banners.map(({ id }) => store(`banners/${id}`)));
  const featured = await Promise.all(catalogue.featured.map(({ id }) => store(`works/${id}`)));
  const activity = await store('activity');
  await fillOnce(db, ['demo_catalogue'], async (trx) => {
    if (!(await isCatalogueEmpty(trx, tags))) return;
    await insertSite(trx, catalogue, { banners, featured, activity });
    await writeSetting(trx, 'demo_catalogue', 'begun');
    log.info('began the demo catalogue');
  });
}

/**
 * Adds the first tags, marks and help articles to a site that never had any, once: deleted ones stay deleted.
 * @returns the languages of the tags if they were just added
 */
export async function fillNewSite(db: Db, log: FastifyBaseLogger): Promise<Language[] | undefined> {
  const { tags, marks, help } = loadFirstContent();
  await fillOnce(db, ['first_articles'], async (trx) => {
    const isUnused = await isHelpUnused(trx);
    if (isUnused) await insertHelp(trx, help);
    await writeSetting(trx, 'first_articles', isUnused);
  });
  await fillOnce(db, ['first_marks'], async (trx) => {
    const isEmpty = !(await hasRows(trx, 'mark'));
    if (isEmpty) await insertMarks(trx, marks);
    await writeSetting(trx, 'first_marks', isEmpty);
  });
  let hasAddedTags = false;
  await fillOnce(db, ['first_tags', 'demo_catalogue'], async (trx) => {
    hasAddedTags = !(await hasRows(trx, 'tag'));
    if (hasAddedTags) await insertTags(trx, tags);
    await writeSetting(trx, 'first_tags', hasAddedTags);
  });
  if (!hasAddedTags) return undefined;
  const languages = LANGUAGES.filter((language) => tags.every(({ name }) => name[language]));
  const names = tags.map(({ code }) => code);
  log.info({ names }, `there were no tags: added a first set, named in ${languages.join(', ')}`);
  return languages;
}

/** Runs `fill` in a transaction, one instance at a time, unless one of these settings was written. */
async function fillOnce(db: Db, settings: Setting[], fill: (trx: Db) => Promise<void>): Promise<void> {
  if ((await readSetting(db, ...settings)) !== undefined) return;
  await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx);
    if ((await readSetting(trx, ...settings)) === undefined) await fill(trx);
  });
}
