import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openVideos } from '../server/community/files/media/stored-files.ts';
import { openPackageCheck } from '../server/community/publishing/packages/package-check.ts';
import { isAppError } from '../server/http/errors.ts';
import { programEnvironment } from '../server/launch/node.js';
import { mp4Bomb, PICTURE_BOMBS, webmBomb } from '../test/fixtures/media/bombs.ts';
import { bundle, bytesOf, withMain } from '../test/fixtures/packages/base.ts';
import { HOSTILE_PACKAGES } from '../test/fixtures/packages/hostile.ts';
import { median, type Table } from './figures.ts';
import type { Decoded } from './hostile-decode.ts';
import type { Bench } from './run.ts';

const RUNS = 3;
const WAITING = 10;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DECODE = fileURLToPath(new URL('hostile-decode.ts', import.meta.url));
const VIDEO_BYTES = 86_000_000;
const HONEST = { userId: 1, bytes: bytesOf(withMain(bundle(391 * 1024))) };

/** Kinds of hostile packages. Each is as large as a script may be or as the honest one, from one user or from ten. */
const HOSTILE = [
  'names of one let',
  'groups of one name',
  'starts of a web token',
  'other variables in nested blocks',
  'private names of nested classes',
];
const SIZES = [4_900_000, 391 * 1024];

/** Seconds until an honest package behind ten others is checked. */
async function secondsBehind(packages: readonly Uint8Array[], isOneUser: boolean): Promise<number> {
  const check = openPackageCheck();
  await check.check(HONEST.bytes, { userId: 1 });
  const others = packages.map((bytes, place) =>
    check.check(bytes, { userId: isOneUser ? 66 : 66 + place }).catch(() => undefined),
  );
  const started = performance.now();
  const { findings } = await check.check(HONEST.bytes, { userId: HONEST.userId });
  const seconds = (performance.now() - started) / 1000;
  if (findings[0]) throw new Error(`unexpected finding: ${findings[0].message}`);
  await Promise.all(others);
  await check.close();
  return seconds;
}

async function queue(): Promise<Table> {
  const makers = HOSTILE.map((name) => HOSTILE_PACKAGES[name]).filter((make) => make !== undefined);
  const rows: Table['rows'] = [];
  for (const size of SIZES) {
    const packages = Array.from({ length: WAITING }, (_, place) => makers[place % makers.length]?.(size));
    const given = packages.filter((bytes) => bytes !== undefined);
    for (const isOneUser of [true, false]) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) times.push(await secondsBehind(given, isOneUser));
      const owners = isOneUser ? 'one user' : 'ten users';
      rows.push([
        `${(size / 1e6).toFixed(1)} MB`,
        owners,
        median(times).toFixed(2),
        Math.max(...times).toFixed(2),
      ]);
    }
  }
  return {
    title: 'Package of 391 KiB behind ten hostile ones: seconds until it is checked',
    head: ['each of', 'submitted by', 'median', 'slowest'],
    rows,
  };
}

async function decode(folder: string): Promise<Table> {
  const paths: string[] = [];
  for (const [place, { bytes }] of PICTURE_BOMBS.entries()) {
    const path = join(folder, `picture-${place}`);
    await writeFile(path, await bytes());
    paths.push(path);
  }
  const run = async (given: readonly string[]): Promise<Decoded> => {
    const env = programEnvironment(ROOT);
    const { stdout } = await promisify(execFile)(process.execPath, [DECODE, ...given], { env });
    return JSON.parse(stdout);
  };
  const rows: Table['rows'] = [];
  for (const [title, given] of [
    ...PICTURE_BOMBS.map(({ title }, place) => [title, paths.slice(place, place + 1)] as const),
    ['all at the same time, of six users', paths] as const,
  ]) {
    const runs: Decoded[] = [];
    for (let count = 0; count < RUNS; count += 1) runs.push(await run(given));
    const growths = runs.map(({ growth }) => growth);
    rows.push([
      title,
      [...new Set(runs[0]?.answers)].join(', '),
      median(growths).toFixed(0),
      Math.max(...growths).toFixed(0),
      median(runs.map(({ seconds }) => seconds)).toFixed(2),
    ]);
  }
  return {
    title: 'Picture bombs: memory over idle at most',
    head: ['picture', 'answer', 'MiB', 'most MiB', 'seconds'],
    rows,
  };
}

async function films(folder: string): Promise<Table> {
  const videos = openVideos();
  const rows: Table['rows'] = [];
  for (const [title, make] of [
    ['mp4', mp4Bomb],
    ['webm', webmBomb],
  ] as const) {
    const path = join(folder, title);
    await writeFile(path, make(VIDEO_BYTES));
    for (let run = 0; run < RUNS; run += 1) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const started = performance.now();
      const before = process.threadCpuUsage();
      const answer = await videos.prepare(path, { userId: 1 }).then(
        () => 'kept',
        (error) => (isAppError(error) ? error.code : String(error)),
      );
      const { user, system } = process.threadCpuUsage(before);
      delay.disable();
      const seconds = (performance.now() - started) / 1000;
      const size = (VIDEO_BYTES / 1e6).toFixed(0);
      rows.push([
        `${title} of ${size} MB`,
        answer,
        seconds.toFixed(2),
        ((user + system) / 1000).toFixed(0),
        (delay.max / 1e6).toFixed(0),
      ]);
    }
  }
  await videos.close();
  return {
    title: 'Videos of nothing but parts',
    head: ['video', 'answer', 'seconds', 'CPU ms of the main thread', 'longest pause of the event loop, ms'],
    rows,
  };
}

/** Uploads made to be expensive: packages before an honest one, pictures at the same time, videos. */
export const hostile: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-square-hostile-'));
  try {
    return [await queue(), await decode(folder), await films(folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
