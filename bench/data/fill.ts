import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { indexPublishers } from '../../server/community/catalogue/publisher-names/indexing.ts';
import { hasPending } from '../../server/community/catalogue/publisher-names/store.ts';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { openKysely, openPool, type Pool } from '../../server/database/pool.ts';
import { withoutUpkeep } from './bulk.ts';
import { copyIn, copyLine, type Value } from './copy-in.ts';
import { addHistory, derive } from './derived.ts';
import { FIRST_PUBLISHER, isVerified, publisherCount, REVIEWER, type Size, TAG_COUNT } from './plugin.ts';
import { TABLES, tagCodeOf } from './rows.ts';
import { makerOf, tagNamesOf } from './texts.ts';
import type { Share } from './worker.ts';

const SEEN_AT = '2026-01-01T00:00:00Z';
const THREADS = 2;
/** Plugins in each COPY. */
const PIECE = 2000;
const COPIED = Object.keys(TABLES).map((into) => into.split(' ')[0] ?? '');
/** Tables derived from the copied ones, and those of the history. */
const DERIVED = ['plugin_listing', 'managed_plugin', 'submission_search', 'waiting_search'];
const HISTORY = ['audit_trail', 'report', 'resource_slot', 'recommendation'];

/**
 * Fills an empty, migrated database with plugins in six languages and all related rows, as the product would write them.
 * The same size gives the same rows.
 * @param onStep is called with the name of each step
 */
export async function fillDatabase(
  url: string,
  size: Size,
  onStep: (step: string) => void = () => undefined,
): Promise<void> {
  const pool = openPool(withOptions(url, '-c synchronous_commit=off'), {
    applicationName: 'fill',
    schema: COMMUNITY_SCHEMA,
    log: pino({ level: 'silent' }),
    statementTimeoutMs: 0,
    max: 3,
  });
  // A million plugins are derived in statements of minutes.
  const db = openKysely<CommunityTables>(pool, { timeoutMs: 0 });
  onStep('rows');
  await addUsersAndTags(pool, size);
  const restore = await withoutUpkeep(pool, [...COPIED, ...DERIVED, ...HISTORY], async () => {
    await copyRows(url, size);
    await addHistory(db, size);
  });
  onStep('lists and totals');
  await derive(db);
  onStep('indexes');
  await restore();
  while (await hasPending(db)) await indexPublishers(db);
  onStep('statistics');
  await pool.query('vacuum analyze');
  await pool.end();
}

function withOptions(address: string, options: string): string {
  const url = new URL(address);
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', options].join(' ').trim());
  return url.href;
}

async function addUsersAndTags(pool: Pool, size: Size): Promise<void> {
  const publishers = Array.from({ length: publisherCount(size) }, (_, n): Value[] => [
    FIRST_PUBLISHER + n,
    makerOf(n),
    SEEN_AT,
    `maker-${n}`,
    isVerified(FIRST_PUBLISHER + n) ? `maker-${n}.example` : null,
  ]);
  const tags = Array.from({ length: TAG_COUNT }, (_, n): Value[] => [
    n + 1,
    tagCodeOf(n + 1),
    JSON.stringify(tagNamesOf(n)),
    n,
  ]);
  const client = await pool.connect();
  const users = [[REVIEWER, 'Reviewer', SEEN_AT, 'the-reviewer', null], ...publishers].map(copyLine).join('');
  await copyIn(client, 'person (user_id, nick_name, seen_at, handle, verified_as)', users);
  await copyIn(client, 'tag (id, code, name, position)', tags.map(copyLine).join(''));
  client.release();
}

/** Generates and copies rows at the same time, with one thread for each connection. */
async function copyRows(address: string, size: Size): Promise<void> {
  const url = withOptions(address, `-c search_path=${COMMUNITY_SCHEMA},public -c synchronous_commit=off`);
  const piece = Math.min(PIECE, Math.ceil(size.count / THREADS));
  const threads = Array.from({ length: THREADS }, async (_, thread) => {
    const workerData: Share = { url, size, piece, thread, of: THREADS };
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData });
    await once(worker, 'exit');
  });
  await Promise.all(threads);
}
