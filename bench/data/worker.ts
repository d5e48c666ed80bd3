import { workerData } from 'node:worker_threads';
import pg from 'pg';
import { copyIn } from './copy-in.ts';
import type { Size } from './plugin.ts';
import { linesOf } from './rows.ts';

/** Share of a thread: every `of`-th piece of the rows, starting with its own. */
export type Share = { url: string; size: Size; piece: number; thread: number; of: number };

const { url, size, piece, thread, of }: Share = workerData;
const client = new pg.Client({ connectionString: url });
await client.connect();
for (let first = 1 + thread * piece; first <= size.count; first += of * piece) {
  const pieces = linesOf(first, Math.min(size.count, first + piece - 1), size);
  await client.query('begin');
  for (const [into, lines] of pieces) if (lines !== '') await copyIn(client, into, lines);
  await client.query('commit');
}
await client.end();
