/**
 * `npm run bench:data -- 1000000`: fills the database of DATABASE_URL, which must be empty, with so many plugins, or,
 * without the setting, one that the benches keep for themselves.
 */
import { fillDatabase } from './fill.ts';
import { migrateDatabase, openKeptServer } from './kept.ts';
import type { Size } from './plugin.ts';

const count = Number(process.argv[2]);
if (!Number.isInteger(count) || count < 100) {
  process.stderr.write('How many plugins, from 100 on? For example: npm run bench:data -- 1000000\n');
  process.exit(2);
}
const size: Size = { count, waiting: Math.ceil(count / 100) };
const started = performance.now();
const told = (step: string) =>
  void process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s: ${step}\n`);
const url = process.env.DATABASE_URL;
if (url === undefined) {
  const server = await openKeptServer();
  told(`kept as ${await server.database(size, told)}`);
  await server.stop();
} else {
  await migrateDatabase(url);
  await fillDatabase(url, size, told);
  told('done');
}
