import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import tap from 'tap';
import { runServer } from '../test/support/database-server.ts';
import { backstage } from './backstage.ts';
import { backup } from './backup.ts';
import { batch } from './batch.ts';
import { checks } from './checks.ts';
import { counters } from './counters.ts';
import { markdown, type Table } from './figures.ts';
import { firstViewDesktop, firstViewMobile } from './first-view.ts';
import { home } from './home.ts';
import { hostile } from './hostile.ts';
import { image } from './image.ts';
import { installs } from './installs.ts';
import { like } from './like.ts';
import { filters, lists, search } from './lists.ts';
import { load } from './load.ts';
import { memory } from './memory.ts';
import { merge } from './merge.ts';
import { packages } from './packages.ts';
import { pages } from './pages.ts';
import { pictures } from './pictures.ts';
import { cache, proxy } from './proxy.ts';
import { reviewQueue } from './review-queue.ts';
import { start } from './start.ts';
import { suggestions } from './suggestions.ts';
import { withdrawBench } from './withdraw.ts';

export type Bench = (given: { serverUrl: string }) => Promise<Table[]>;

const BENCHES: Readonly<Record<string, Bench>> = {
  start,
  memory,
  image,
  home,
  pages,
  'first-view': firstViewMobile,
  'first-view-desktop': firstViewDesktop,
  like,
  lists,
  filters,
  search,
  suggestions,
  counters,
  proxy,
  cache,
  load,
  packages,
  hostile,
  batch,
  pictures,
  backstage,
  'review-queue': reviewQueue,
  installs,
  checks,
  merge,
  backup,
  withdraw: withdrawBench,
};
const RESULTS = new URL('results.md', import.meta.url);

function machineLine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const gib = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${commit}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${gib} GiB`;
}

/** Replaces the section of a bench in the stored results. */
function storeSection(name: string, section: string): void {
  const marker = `<!-- ${name} -->`;
  const sections = new Map(
    readResults()
      .split(/(?=<!-- [\w-]+ -->)/)
      .filter((part) => part.startsWith('<!--'))
      .map((part) => [/<!-- ([\w-]+) -->/.exec(part)?.[1] ?? '', part.trim()]),
  );
  sections.set(name, `${marker}\n${section.trim()}`);
  const ordered = Object.keys(BENCHES).flatMap((key) => sections.get(key) ?? []);
  writeFileSync(
    RESULTS,
    `# Figures\n\nMade by \`npm run bench\`; medians, side by side in one run.\n\n${ordered.join('\n\n')}\n`,
  );
}

function readResults(): string {
  try {
    return readFileSync(RESULTS, 'utf8');
  } catch {
    return '';
  }
}

// Parts of the browser tests bring it along; it would end the process after 30 seconds.
tap.setTimeout(0);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(
    `No bench is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exit(2);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const tables = await bench({ serverUrl: (await runServer()).url });
  const section = `${tables.map(markdown).join('\n')}\n${machineLine()}\n`;
  process.stdout.write(`\n${section}`);
  storeSection(name, section);
}
process.exit(0);
