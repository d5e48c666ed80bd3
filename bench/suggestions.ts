import { LANGUAGES } from '../shared/languages.ts';
import { openStoredDatabases } from './data/databases.ts';
import { commonWords } from './data/texts.ts';
import { quantile, type Table } from './figures.ts';
import { startSite } from './load/site.ts';
import type { Bench } from './run.ts';

const PLUGINS = Number(process.env.BENCH_PLUGINS ?? 1_000_000);
/** Words of each language that somebody types, letter by letter. */
const WORDS = 12;
const LETTERS_MAX = 6;

/** What the gateway is asked while somebody types, each beginning of a word once. */
function typed(): string[] {
  const paths = LANGUAGES.flatMap((language) =>
    commonWords(language)
      .slice(0, WORDS)
      .flatMap((word) => {
        const letters = [...word].slice(0, LETTERS_MAX);
        return letters.map((_, at) => {
          const keyword = letters.slice(0, at + 1).join('');
          return `/api/cmt/plugin/suggestion/list?${new URLSearchParams({ language, keyword })}`;
        });
      }),
  );
  return [...new Set(paths)];
}

/** Suggestions while typing through the gateway: each asked for the first time, and again, when any cache may answer. */
export const suggestions: Bench = async () => {
  const server = await openStoredDatabases();
  const url = await server.database({ count: PLUGINS, waiting: Math.ceil(PLUGINS / 100) });
  const site = await startSite(url);
  const paths = typed();
  const rows: Table['rows'] = [];
  for (const asked of ['for the first time', 'again']) {
    const times: number[] = [];
    for (const path of paths) {
      const started = performance.now();
      const answer = await fetch(`${site.gateway.origin}${path}`, {
        headers: { 'x-requested-with': 'plugin-square' },
      });
      await answer.arrayBuffer();
      times.push(performance.now() - started);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
    }
    rows.push([asked, times.length, ...[0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(1))]);
  }
  await site.close();
  await server.stop();
  return [
    {
      title: `Suggestions while typing through the gateway, ${PLUGINS} plugins, milliseconds`,
      head: ['asked', 'keywords', 'p50', 'p95', 'p99'],
      rows,
    },
  ];
};
