import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockSubmission } from '../../../../server/community/catalogue/submissions/store.ts';
import { approveSubmission } from '../../../../server/community/review/decisions/effects.ts';
import { contract } from '../../../../shared/contract.ts';
import type { TestCommunity } from '../../../support/community.ts';
import { SETTLED_TABLES } from '../../../support/settled-tables.ts';
import { type Answer, dataOf } from '../../ask.ts';

export type Send = { method?: 'POST' | 'PUT'; query?: string; userId?: number; role?: 0 | 1 | 2 };

/** Calls of publishing over real HTTP, and checks of stored rows and files. */
export function publishing(community: TestCommunity) {
  const send = async (form: FormData, options: Send = {}): Promise<Answer> => {
    const { method = 'POST', query = '', userId = 7, role = 0 } = options;
    const response = await fetch(`${community.url}/api/cmt/plugin${query}`, {
      method,
      headers: await community.bearer(userId, role),
      body: form,
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  };
  const sent = async (form: FormData, options: Send = {}) =>
    dataOf(await send(form, options), contract.publishPlugin.data);
  return {
    send,
    sent,
    storedState: () => storedState(community),
    pass: (key: string) => pass(community, key),
  };
}

/** Row counts of all tables except those that background tasks flush, and all files below the data folder. */
async function storedState({ pool, dataDir }: TestCommunity): Promise<{ rows: unknown; files: string[] }> {
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.tables
      where table_schema = 'community' and table_type = 'BASE TABLE' and table_name <> all ($1) order by 1`,
    [SETTLED_TABLES],
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(`select count(*) from "${name}"`);
    counts[name] = rows[0].count;
  }
  return { rows: counts, files: await filesBelow(dataDir) };
}

export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Approves the waiting submission of a plugin. */
async function pass({ db }: TestCommunity, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .selectFrom('submission')
      .innerJoin('plugin', 'plugin.id', 'submission.plugin_id')
      .select('submission.id')
      .where('plugin_key', '=', key)
      .where('submission.audit_status', '=', 1)
      .where('is_superseded', '=', false)
      .executeTakeFirstOrThrow();
    const submission = await lockSubmission(trx, id);
    if (submission) await approveSubmission(trx, submission, Date.now());
    const decided = { audit_status: 2 as const, decided_at: new Date() };
    await trx.updateTable('submission').set(decided).where('id', '=', id).execute();
  });
}

/** Files without a row, and rows without a file. */
export async function inconsistentFiles({
  pool,
  dataDir,
}: TestCommunity): Promise<{ orphans: string[]; missing: string[] }> {
  const { rows } = await pool.query(
    `select picture_key || '-' || w || '.webp' as name from picture, unnest(widths) w
      union select file_key || '.' || extension from stored_file`,
  );
  const named = new Set<string>(rows.map(({ name }) => name));
  const there = new Set(
    (await filesBelow(join(dataDir, 'files'))).map((path) => path.slice(path.lastIndexOf('/') + 1)),
  );
  return {
    orphans: [...there].filter((name) => !named.has(name)),
    missing: [...named].filter((name) => !there.has(name)),
  };
}
