import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import type { Db } from '../schema.ts';
import {
  type FirstHelp,
  type FirstMark,
  type FirstTag,
  hasRows,
  insertHelp,
  insertMarks,
  insertTags,
  isHelpUnused,
  lockCatalogue,
  readSetting,
  type Setting,
  writeSetting,
} from './store.ts';

type FirstContent = { tags: FirstTag[]; marks: FirstMark[]; help: FirstHelp };

function read<Name extends keyof FirstContent>(name: Name): FirstContent[Name] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}

/** The tags, marks and help articles that every site starts with. */
export function loadFirstContent(): FirstContent {
  return { tags: read('tags'), marks: read('marks'), help: read('help') };
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
