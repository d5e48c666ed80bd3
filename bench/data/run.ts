/**
 * `npm run bench:data -- 1000000`: fills the empty database of DATABASE_URL with this number of plugins, or without the
 * setting a database that the benches reuse.
 */

import { migrateDatabase, openStoredDatabases } from './databases.ts';
import { fillDatabase } from './fill.ts';
import type { Size } from './plugin.ts';

const count = Number(process.argv[2]);
if (!Number.isInteger(count) || count < 100) {
  process.stderr.write(
    'Expected a number of plugins of at least 100, for example: npm run bench:data -- 1000000\n',
  );
  process.exit(2);
}
const size: Size = { count, waiting: Math.ceil(count / 100) };
const started = performance.now();
const onStep = (step: string) =>
  void process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s: ${step}\n`);
const url = process.env.DATABASE_URL;
if (url === undefined) {
  const server = await openStoredDatabases();
  onStep(`stored as ${await server.database(size, onStep)}`);
  await server.stop();
} else {
  await migrateDatabase(url);
  await fillDatabase(url, size, onStep);
  onStep('done');
}
