import { fileURLToPath } from 'node:url';
import { reorderByPopularity } from '../catalogue/counters/store.ts';
import { loadFirstContent } from '../first-content/first-content.ts';
import { isCatalogueEmpty, lockCatalogue, readSetting, writeSetting } from '../first-content/store.ts';
import type { Db } from '../schema.ts';
import { withoutSweep } from '../sweep/kept-files.ts';
import { checkBundle } from './check-bundle.ts';
import { type ImportOptions, storeBundle } from './import-bundle.ts';
import { insertBundle } from './insert-bundle.ts';
import { insertPages, insertPast, insertSubmissions, timesBefore } from './insert-site.ts';
import { insertPeople } from './site-store.ts';

/** The demo that comes with the product, and the key that has signed it. */
export const DEMO = {
  file: fileURLToPath(new URL('../../../demo/demo.bundle', import.meta.url)),
  trusted: 'WM7caSmX_jLnGvCTeU4141j28tOZADYCE3gqtKgU8Ys',
};

/** What earlier releases wrote when they had begun to publish their demo, plugin by plugin. */
const BEGUN = 'begun';

/**
 * Imports a bundle with all that it brings to a site that has nothing yet, once: deleted content stays deleted. A site that
 * an earlier release has begun to fill gets the plugins that it lacks.
 * @returns false if it is not wanted here
 * @throws start error when the archive is truncated, changed or signed with another key; nothing is imported then
 */
export async function importSite(options: ImportOptions): Promise<boolean> {
  const { db, trusted } = options;
  const checked = await checkBundle({ ...options, withSite: true });
  const { bundle, site } = checked;
  if (!site) return false;
  const isImported = await withoutSweep(db, async () => {
    if (!(await wantsSite(db))) return false;
    return storeBundle(options, checked, 'Demo', async (trx, onPlugin) => {
      await lockCatalogue(trx);
      const isBegun = (await readSetting(trx, 'demo_catalogue')) === BEGUN;
      const now = options.now();
      await insertPeople(trx, site.people);
      const outcomes = await insertBundle(trx, bundle, {
        at: new Date(now),
        trusted,
        publisherOf: (key) => site.plugins[key]?.publisher_id ?? site.administrator_id,
        timesOf: (key, version) => timesBefore(now, site.plugins[key]?.versions[version]),
        reviewerId: site.administrator_id,
        onPlugin,
      });
      const added = new Set([...outcomes].flatMap(([key, outcome]) => (outcome === 'added' ? [key] : [])));
      await insertPast(trx, site, { added, now });
      await insertSubmissions(trx, site, { added, now });
      if (!isBegun) await insertPages(trx, site, now);
      await writeSetting(trx, 'demo_catalogue', 'complete');
      return true;
    });
  });
  if (isImported) await reorderByPopularity(db);
  return isImported;
}

/** Whether a site has nothing yet, or was begun by an earlier release. */
export async function wantsSite(db: Db): Promise<boolean> {
  const state = await readSetting(db, 'demo_catalogue');
  return state === BEGUN || (state === undefined && (await isCatalogueEmpty(db, loadFirstContent().tags)));
}
