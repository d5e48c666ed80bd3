/**
 * Runs a temporary PostgreSQL: prints its URL as the first line of stdout, and ends without leaving files
 * when stdin ends, so that it always ends with its parent.
 */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../server/database/embedded.ts';
import { stderrLog } from './log.ts';

/** Test data is temporary, so nothing needs to be durable. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const dataDir = await mkdtemp(join(tmpdir(), 'plugin-square-test-'));
const ended = once(process.stdin.resume(), 'close');
const server = await startEmbeddedPostgres({ dataDir, settings: FAST, log: stderrLog });
process.stdout.write(`${server.url}\n`);
await ended;
await server.stop();
await rm(server.dir, { recursive: true, force: true });
await rm(dataDir, { recursive: true, force: true });
