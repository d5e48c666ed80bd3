/**
 * Databases that released programs filled by use, each noun once, are kept in test/fixtures/released as backups without files.
 * This release starts on each of them. A release adds its own: `RELEASE=1 node test/system/upgrade/released-use.test.ts`.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import packageJson from '../../../package.json' with { type: 'json' };
import { backUp } from '../../../server/commands/backup/backup.ts';
import { SCHEMAS } from '../../../server/commands/backup/store.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import type { Pool } from '../../../server/database/pool.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { silentLog } from '../../support/log.ts';
import { startProgram } from '../../support/program.ts';
import { runOperatorProgram } from '../commands/run-program.ts';
import { openUser, SETTINGS, signIn } from '../faults/support/user.ts';
import { countRows } from './rows.ts';
import { useProduct } from './use-product.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/released/', import.meta.url));

/** Queues, which the program empties within seconds, and rows that it deletes after minutes. */
const PASSING = [
  ...['figure_change', 'popularity_change', 'recent_view', 'search_pending', 'tally_change'].map(
    (name) => `community.${name}`,
  ),
  ...['account_change', 'role_change'].map((name) => `identity.${name}`),
  ...['second_factor_setup', 'sign_in_challenge', 'pending_bind', 'sso_login'].map(
    (name) => `identity.${name}`,
  ),
];
/** Rows that a mail server, a directory or a picture in an article makes; identity-rows.ts and community-rows.ts have some. */
const WITH_OTHERS = [
  ...['address_link', 'password_link', 'sign_up_link', 'notice_mail', 'mail_opt_out'],
  ...['enterprise', 'enterprise_member', 'external_identity', 'used_proof'],
].map((name) => `identity.${name}`);
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  ...PASSING,
  ...WITH_OTHERS,
  'community.help_article_picture',
]);

/** Rows of each table, by `schema.table`. */
async function countAll(pool: Pool): Promise<Map<string, number>> {
  const all = new Map<string, number>();
  for (const { schema } of SCHEMAS)
    for (const [table, count] of await countRows(pool, schema)) all.set(`${schema}.${table}`, count);
  return all;
}

const emptyOf = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].filter(([name, count]) => count === 0 && !MAY_BE_EMPTY.has(name)).map(([name]) => name);

/** Writes what this program makes of an empty database. */
async function write(t: Test): Promise<void> {
  const { url, pool } = await testDatabase(t, { name: 'use' });
  const DATA_DIR = await testFolder(t);
  const product = await startProgram({ ...SETTINGS, SEED: 'demo', DATA_DIR, DATABASE_URL: url }, { t });
  await useProduct(product, pool);
  await product.stop();
  t.strictSame(emptyOf(await countAll(pool)), [], 'each noun was used');
  await mkdir(FOLDER, { recursive: true });
  const file = join(FOLDER, `${packageJson.version}.tar`);
  await rm(file, { force: true });
  const files = openFolderStore(await testFolder(t));
  await backUp({ url, files, log: silentLog, file, keysOf: DATA_DIR });
}

if (process.env.RELEASE === '1') await t.test('the use of this release is written', write);

for (const name of await readdir(FOLDER)) {
  t.test(`this release starts on what a program of ${name} made`, async (t) => {
    const { url, pool } = await testDatabase(t, { name: 'released' });
    const here = { DATA_DIR: await testFolder(t), DATABASE_URL: url };
    const restored = await runOperatorProgram('restore', here, join(FOLDER, name));
    t.match(restored, { code: 0, err: '' });
    const before = await countAll(pool);
    t.strictSame(emptyOf(before), [], 'the program had used each noun');
    t.match(await runOperatorProgram('migrate', here), { code: 0, err: '' });
    const after = await countAll(pool);
    const lost = [...before].filter(([table, count]) => (after.get(table) ?? 0) < count);
    t.strictSame(lost, [], 'a migration keeps rows');

    const product = await startProgram({ ...SETTINGS, ...here }, { t });
    const user = openUser(product.origin);
    await signIn(user);
    for (const path of READS) {
      const answer = await user.browser.call(path);
      t.equal(answer.status, 200, path);
      t.ok(totalOf(answer.json()), `${path} shows what was there`);
    }
    await product.stop();
    t.strictSame(
      product.log.filter(({ level }) => ['error', 'fatal'].includes(level)),
      [],
    );
  });
}

/** Lists of each area, none of which may be empty. */
const READS = [
  '/api/cmt/plugin/list',
  '/api/cmt/plugin/list?keyword=color',
  '/api/cmt/plugin/tag/list',
  '/api/cmt/plugin/audit/list?audit_status=2',
  '/api/cmt/plugin-banner/all',
  '/api/cmt/community/featured',
  '/api/cmt/manager/report/list',
  '/api/cmt/manager/audit-trail/list',
  '/api/cmt/plugin/token/list',
];

/** Length of the list in an answer. */
function totalOf({ data }: { data?: unknown }): number {
  const list = Object.values(Object(data)).find(Array.isArray);
  return list?.length ?? 0;
}
