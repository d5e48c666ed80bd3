import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openStoredDatabases } from './data/databases.ts';
import { quantile, type Table } from './figures.ts';
import { openIssuer } from './lists/issuer.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const COUNT = 100_000;
/** Milliseconds between two calls of each concurrent client. */
const PAUSE = 20;

type Call = (site: Site, pluginKey: string) => Promise<number>;

/** Concurrent calls; likes concern plugins that the merge moves. */
const OTHERS: Readonly<Record<string, Call>> = {
  'list of plugins': async (site) => (await site.get('plugin/list?limit=24', 'visitor')).took,
  search: async (site) => (await site.get('plugin/list?keyword=color', 'visitor')).took,
  'a like': (site, plugin_key) => site.post('plugin/user/praise', { plugin_key, praise: 1 }, 'user'),
};

/** Calls one after another until `stop`; returns durations and end times. */
async function keepCalling(site: Site, call: Call, keys: readonly string[], stop: AbortSignal) {
  const times: { at: number; took: number }[] = [];
  for (let n = 0; !stop.aborted; n += 1) {
    const took = await call(site, keys[n % keys.length] ?? '');
    times.push({ at: performance.now(), took });
    await delay(PAUSE);
  }
  return times;
}

/** Merges the largest tag into the next largest during reads and likes, until all words are indexed again. */
export const merge: Bench = async () => {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const url = await server.copy({ count: COUNT, waiting: Math.ceil(COUNT / 100) });
  const site = await openSite(url, COUNT, issuer);
  const { rows: tags } = await site.pool.query<{ tag_id: number; plugins: number }>(
    'select tag_id, count(*)::int as plugins from plugin_tag group by 1 order by 2 desc limit 2',
  );
  const [from, into] = tags;
  if (!from || !into) throw new Error('there are no tags to merge');
  const { rows: moved } = await site.pool.query<{ plugin_key: string }>(
    `select plugin_key from plugin_tag join plugin on id = plugin_id
      join plugin_listing l on l.plugin_id = id and l.tag_id = 0
      where plugin_tag.tag_id = $1 order by id limit 5000`,
    [from.tag_id],
  );
  const keys = moved.map((row) => row.plugin_key);
  const stop = new AbortController();
  const calling = Object.values(OTHERS).map((call) => keepCalling(site, call, keys, stop.signal));
  await delay(3000);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const begun = performance.now();
  const took = await site.post('manager/tag/merge', { id: from.tag_id, into_id: into.tag_id }, 'admin');
  const merged = performance.now();
  const pending = async () => (await site.pool.query('select from search_pending limit 1')).rowCount !== 0;
  while (await pending()) await delay(200);
  const indexed = performance.now();
  stop.abort();
  const times = await Promise.all(calling);
  loop.disable();
  await site.close();
  issuer.close();
  await server.stop();
  const spans: readonly [from: number, until: number][] = [
    [0, begun],
    [begun, merged],
    [merged, indexed],
  ];
  const rows = Object.keys(OTHERS).map((name, index): Table['rows'][number] => [
    name,
    ...spans.flatMap(([from, until]) => {
      const within = (times[index] ?? [])
        .filter(({ at, took }) => at >= from && at - took < until)
        .map((one) => one.took);
      return [0.5, 1].map((share) => quantile(within, share).toFixed(0));
    }),
  ]);
  const heads = ['before', 'merging', 're-indexing'].flatMap((span) => [`${span}, p50`, `${span}, longest`]);
  return [
    { title: `What others wait for while a tag is merged, milliseconds`, head: ['call', ...heads], rows },
    {
      title: `A tag of ${from.plugins} of ${COUNT} plugins merged into another`,
      head: ['figure', 'value'],
      rows: [
        ['the call, seconds', (took / 1000).toFixed(1)],
        ['until all words are indexed again, seconds', ((indexed - merged) / 1000).toFixed(1)],
        ['longest pause of the event loop, milliseconds', (loop.max / 1e6).toFixed(0)],
      ],
    },
  ];
};
