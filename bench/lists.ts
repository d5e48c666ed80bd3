import { openStoredDatabases } from './data/databases.ts';
import { FILTER_CALLS, LIST_CALLS, SEARCH_CALLS } from './lists/calls.ts';
import { openIssuer } from './lists/issuer.ts';
import { type Call, measure } from './lists/measure.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const SIZES = [1000, 100_000, 1_000_000];

async function measureAt(title: string, calls: readonly Call[]): ReturnType<Bench> {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const sites: Site[] = [];
  for (const count of SIZES) {
    const url = await server.database({ count, waiting: Math.ceil(count / 100) });
    sites.push(await openSite(url, count, issuer, { forgets: true }));
  }
  const table = await measure(title, sites, calls);
  for (const site of sites) await site.close();
  issuer.close();
  await server.stop();
  return [table];
}

/** Every list of the product at three sizes of the catalogue, interleaved in one run. */
export const lists: Bench = () =>
  measureAt('Lists of 24 or 20 rows, milliseconds at the community service', LIST_CALLS);

/** Every search of the product at three sizes of the catalogue, interleaved in one run. */
export const search: Bench = () => measureAt('Searches, milliseconds at the community service', SEARCH_CALLS);

/** Every order and filter of lists, and the counts of their values, at three sizes of the catalogue, interleaved in one run. */
export const filters: Bench = () =>
  measureAt('Filters of lists and their counts, milliseconds at the community service', FILTER_CALLS);
