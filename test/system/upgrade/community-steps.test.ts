import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createCommunity } from '../../../server/community/app.ts';
import { indexPending } from '../../../server/community/catalogue/search/index-store.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import { prepareCommunity } from '../../../server/community/prepare.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { contract } from '../../../shared/contract.ts';
import type { Texts } from '../../../shared/languages.ts';
import { sitemapRoutes } from '../../../shared/routes/site.ts';
import { ask, dataOf, keysOf } from '../../community/ask.ts';
import { comeAsGateway, testFolder, testTokenIssuer } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { SERVICE_KEYS } from '../../support/service-keys.ts';
import { until } from '../../support/until.ts';
import { COMMUNITY_ROWS } from './community-rows.ts';
import { countRows, fillAt, stepsOf } from './rows.ts';

const log = pino({ level: 'silent' });
const STEPS = stepsOf(communityMigrations);
const issuer = await testTokenIssuer(t);
const dataDir = await testFolder(t);
const token = async (sub: string, role: number) => ({
  authorization: `Bearer ${await issuer.sign({ sub, role })}`,
});
const [ada, admin] = [await token('7', 0), await token('1', 1)];

/** Starts the service on the rows of a release up to the migration. */
async function startOn(t: Test, step: string) {
  const database = await testDatabase<CommunityTables>(t, { schema: COMMUNITY_SCHEMA, name: 'step' });
  const { db, pool } = database;
  const given = { schema: COMMUNITY_SCHEMA, migrations: communityMigrations, rows: COMMUNITY_ROWS };
  await fillAt(database, { ...given, step });
  const before = await countRows(pool, COMMUNITY_SCHEMA);
  await prepareCommunity({ pool, log });
  await indexPending(db);
  const app = await createCommunity({
    pool,
    log,
    now: Date.now,
    dataDir,
    jwksUrl: issuer.jwksUrl,
    identityUrl: issuer.url,
    serviceKeys: SERVICE_KEYS,
    publishers: 'admins',
    publicUrl: 'http://localhost',
    publishing: { limits: [], quotaBytes: 2 ** 30 },
  });
  comeAsGateway(app);
  t.teardown(() => app.close());
  return { pool, before, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

for (const step of STEPS) {
  t.test(`rows of a release up to ${step} survive and are shown`, async (t) => {
    const { pool, before, url } = await startOn(t, step);
    const after = await countRows(pool, COMMUNITY_SCHEMA);
    const lost = [...before].filter(([table, count]) => (after.get(table) ?? 0) < count);
    t.strictSame(
      lost.filter(([table]) => !/_pending$|_change$|_note$/.test(table)),
      [],
      'only queues lose rows',
    );
    await checkCatalogue(t, url);
    await checkSupport(t, url, step >= '0012' ? { 'ja-JP': 'ご連絡ください' } : {});
    await checkInteractions(t, url);
    await checkDecisions(t, url);
    await checkSite(t, url);
  });
}

t.test('the words of the plugins there are can be begun', async (t) => {
  const { pool } = await startOn(t, '0039-unlisted-words');
  const { rows } = await pool.query(
    "select lexeme from search_lexeme where lexeme >= 'gradi' and lexeme < 'gradj'",
  );
  t.strictSame(
    rows.map(({ lexeme }) => lexeme),
    ['gradient'],
  );
});

t.test('the audit log says which versions an administrator hid', async (t) => {
  const { pool } = await startOn(t, '0001-baseline');
  const { rows } = await pool.query(
    'select version, hidden_by, is_hidden_by_admin from plugin_version where is_hidden order by version',
  );
  t.strictSame(rows, [
    { version: '0.7.0', hidden_by: null, is_hidden_by_admin: false },
    { version: '0.8.0', hidden_by: 1, is_hidden_by_admin: true },
  ]);
});

t.test('what an earlier release approved is signed after the start', async (t) => {
  const { pool } = await startOn(t, '0012-support-texts');
  // Its file is not there, so its digest cannot be computed here.
  const release = 'd'.repeat(64);
  await pool.query('update stored_file set release_key = $1, release_bytes = 3 where file_key = $2', [
    release,
    'b'.repeat(64),
  ]);
  const signed = `select v.version from plugin_version v where signature is not null`;
  t.strictSame(await until(async () => (await pool.query(signed)).rows.length > 0), true);
  const { rows } = await pool.query(
    'select kind, plugin_key, version, digest from transparency_log order by plugin_key',
  );
  const entry = { kind: 'approve', version: '1.0.0', digest: release };
  t.strictSame(
    rows.map((row) => ({ ...row })),
    ['deleted-one', 'passed-one'].map((plugin_key) => ({ ...entry, plugin_key })),
    'a deleted plugin too: those who have it keep it',
  );
});

async function checkCatalogue(t: Test, url: string): Promise<void> {
  const tags = dataOf(await ask(url, 'plugin/tag/list'), contract.listTags.data).tag_list;
  const lists = ['', '&sort=1', `&tag_id=${tags[0]?.id}`, '&keyword=gradient', '&keyword=gradeint'];
  for (const query of lists) {
    const page = dataOf(await ask(url, `plugin/list?limit=24${query}`), contract.listPlugins.data);
    t.strictSame([page.total, keysOf(page)], [1, ['passed-one']], `list ${query}`);
  }
  const ranges = dataOf(await ask(url, 'plugin/sitemap/ranges'), sitemapRoutes.listSitemapRanges.data);
  t.strictSame(ranges.range_list, [0]);
  const detail = dataOf(await ask(url, 'plugin?plugin_key=passed-one'), contract.readPlugin.data);
  t.hasStrict(detail, { name: 'Gradient passed-one', version: '1.0.0' });
  const versions = await ask(url, 'plugin/version/list?plugin_key=passed-one');
  t.hasStrict(versions.json, { data: { version_list: [{ version: '1.0.0' }, { version: '0.9.0' }] } });
  const waiting = await ask(url, 'plugin/audit/list?audit_status=1', { headers: admin });
  t.hasStrict(waiting.json, { code: 0, data: { total: 1 } });
}

/** What was there stays the text of the default language; a translation is for the readers of its language. */
async function checkSupport(t: Test, url: string, translations: Texts): Promise<void> {
  for (const language of ['en-US', 'ja-JP', 'ru-RU'] as const) {
    const headers = { 'accept-language': language };
    const detail = await ask(url, 'plugin?plugin_key=passed-one', { headers });
    const lang = translations[language] ? language : 'en-US';
    const support = translations[language] ?? 'Write to us';
    t.hasStrict(detail.json, { data: { support, support_lang: lang } }, `support for ${language}`);
  }
  const form = dataOf(
    await ask(url, 'plugin/edit?plugin_key=passed-one', { headers: admin }),
    contract.readEditablePlugin.data,
  );
  t.strictSame(form.listing.support, { 'en-US': 'Write to us', ...translations });
}

async function checkInteractions(t: Test, url: string): Promise<void> {
  const { json } = await ask(url, 'plugin?plugin_key=passed-one', { headers: ada });
  t.hasStrict(json, { data: { is_praise: 1, is_installed: true, praise_count: 2, install_count: 1 } });
}

async function checkDecisions(t: Test, url: string): Promise<void> {
  const recommended = await ask(url, 'plugin/recommendation/list');
  t.hasStrict(recommended.json, { data: { plugin_list: [{ plugin_key: 'passed-one' }] } });
  const reports = await ask(url, 'manager/report/list', { headers: admin });
  t.hasStrict(reports.json, { data: { total: 1, report_list: [{ reason: 'Bad' }] } });
  const refused = await ask(url, 'plugin/audit/list?audit_status=3', { headers: admin });
  t.match(JSON.stringify(refused.json), 'Too plain', 'the reason of the rejection');
  const slots = await ask(url, 'plugin/resource_state/list', { headers: admin });
  t.hasStrict(slots.json, { data: { total: 1 } });
}

async function checkSite(t: Test, url: string): Promise<void> {
  t.hasStrict((await ask(url, 'plugin-banner/all')).json, { data: { banner_list: [{ title: 'Look' }] } });
  t.hasStrict((await ask(url, 'activity/activity/info?activity_id=30')).json, { data: { view_num: 5 } });
  t.hasStrict((await ask(url, 'community/featured')).json, {
    code: 0,
    data: { work_list: [{ title: 'Work' }] },
  });
  const auditLog = await ask(url, 'manager/audit-trail/list', { headers: admin });
  t.hasStrict(auditLog.json, { data: { total: 4 } });
}
