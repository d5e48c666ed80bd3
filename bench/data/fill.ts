import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { openKysely, openPool, type Pool } from '../../server/database/pool.ts';
import { withoutUpkeep } from './bulk.ts';
import { copyIn, copyLine, type Value } from './copy-in.ts';
import { addHistory, derive } from './derived.ts';
import { FIRST_PUBLISHER, publisherCount, REVIEWER, type Size, TAG_COUNT } from './plugin.ts';
import { TABLES, tagCodeOf } from './rows.ts';
import { makerOf, tagNamesOf } from './texts.ts';
import type { Share } from './worker.ts';

const SEEN_AT = '2026-01-01T00:00:00Z';
const THREADS = 2;
/** Plugins in one COPY of each table. */
const PIECE = 2000;
const COPIED = Object.keys(TABLES).map((into) => into.split(' ')[0] ?? '');
/** Tables that are filled from what was copied, and those of what people have left behind. */
const DERIVED = ['plugin_listing', 'managed_plugin', 'submission_search', 'waiting_search'];
const HISTORY = ['audit_trail', 'report', 'resource_slot', 'recommendation'];

/**
 * Fills an empty, migrated database with plugins in six languages and everything that belongs to them, as the product
 * would have left it. The same size makes the same rows.
 * @param told is called with what is being done, for who waits
 */
export async function fillDatabase(
  url: string,
  size: Size,
  told: (step: string) => void = () => undefined,
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
  told('rows');
  await addPeopleAndTags(pool, size);
  const restore = await withoutUpkeep(pool, [...COPIED, ...DERIVED, ...HISTORY], async () => {
    await copyRows(url, size);
    await addHistory(db, size);
  });
  told('lists and totals');
  await derive(db);
  told('indexes');
  await restore();
  told('statistics');
  await pool.query('vacuum analyze');
  await pool.end();
}

function withOptions(address: string, options: string): string {
  const url = new URL(address);
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', options].join(' ').trim());
  return url.href;
}

async function addPeopleAndTags(pool: Pool, size: Size): Promise<void> {
  const publishers = Array.from({ length: publisherCount(size) }, (_, n): Value[] => [
    FIRST_PUBLISHER + n,
    makerOf(n),
    SEEN_AT,
  ]);
  const tags = Array.from({ length: TAG_COUNT }, (_, n): Value[] => [
    n + 1,
    tagCodeOf(n + 1),
    JSON.stringify(tagNamesOf(n)),
    n,
  ]);
  const client = await pool.connect();
  const people = [[REVIEWER, 'Reviewer', SEEN_AT], ...publishers].map(copyLine).join('');
  await copyIn(client, 'person (user_id, nick_name, seen_at)', people);
  await copyIn(client, 'tag (id, code, name, position)', tags.map(copyLine).join(''));
  client.release();
}

/** Making rows and taking them in go on at the same time, in as many threads as there are connections. */
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
