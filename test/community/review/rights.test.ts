import t from 'tap';
import { contract, type Operation } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { RIGHTS } from '../../rights/table.ts';
import { testCommunity } from '../../support/community.ts';
import { SETTLED_TABLES } from '../../support/settled-tables.ts';
import { addPlugin, PUBLISHER_ID } from '../add-plugin.ts';
import { addSubmission } from '../add-submission.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { app, db, pool } = community;
const pluginId = await addPlugin(db, { key: 'guarded-one' });
const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
await pool.query(`insert into report (plugin_id, user_id, reason, kind) values ($1, 7, 'Bad', 'other')`, [
  pluginId,
]);
await pool.query(`insert into recommendation (plugin_id, position) values ($1, 0)`, [pluginId]);
await pool.query(`insert into banner (default_lang, redirect_url) values ('en-US', 'https://a.example')`);
await pool.query(`insert into qr_code (name) values ('Group')`);
await pool.query(
  `insert into resource_slot (plugin_id, link, start_at, end_at) values ($1, '/', now(), now() + interval '1 day')`,
  [pluginId],
);

const plugin_key = 'guarded-one';
/** Payloads that change something for an administrator. */
const BODIES: Partial<Record<Operation, Record<string, unknown>>> = {
  decideAudit: { plugin_key, submission_id, audit_status: 2 },
  claimAudit: { submission_id, is_claimed: true },
  hidePlugin: { plugin_key, is_hidden: true },
  recommendPlugin: { plugin_key, is_recommended: false },
  orderRecommended: { plugin_keys: [plugin_key] },
  setSilentInstall: { plugin_key, is_silent: true },
  addSlot: { plugin_key, start_at: '2030-01-01T00:00:00Z', end_at: '2030-01-02T00:00:00Z' },
  deleteBanner: { id: 1 },
  orderBanners: { ids: [1] },
  deleteQrCode: { id: 1 },
  decideReport: { id: 1, state: 'dismissed' },
  saveIconFont: { client_id: 'a', client_secret: 'b' },
  saveStockPhoto: { api_key: 'a' },
};
const QUERIES: Partial<Record<Operation, string>> = {
  disableSlot: '?id=1&is_disabled=true',
  readAudit: `?submission_id=${submission_id}`,
  readAuditCode: `?submission_id=${submission_id}`,
};
const ADMIN_AREA = {
  'x-page-path': '/plugins/backstage-index/audit-list',
  referer: 'https://site.example/plugins/admin',
  'x-requested-with': 'plugin-square',
};
const backstage = new Set(
  RIGHTS.filter(({ call, outcomes }) => call.includes(' /api/cmt/') && outcomes.owner === '403').map(
    ({ call }) => call,
  ),
);
const routes = (Object.entries(contract) as [Operation, Route][]).filter(([, { method, path }]) =>
  backstage.has(`${method} ${path}`),
);

/** Number and content of all rows but those that the service settles by itself. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query(
    `select tablename from pg_tables where schemaname = 'community' and tablename <> all ($1)`,
    [SETTLED_TABLES],
  );
  const entries = tables.map(async ({ tablename }) => {
    const { rows } = await pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as content from "${tablename}" t`,
    );
    return [tablename, rows[0].content] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const callers: [title: string, status: number, headers: () => Promise<Record<string, string>>][] = [
  ['a visitor', 401, async () => ({})],
  ['a visitor with a forged page', 401, async () => ADMIN_AREA],
  ['a member', 403, () => community.bearer(7, 0)],
  ['a member with a forged page', 403, async () => ({ ...(await community.bearer(7, 0)), ...ADMIN_AREA })],
  ['the publisher', 403, async () => ({ ...(await community.bearer(PUBLISHER_ID, 0)), ...ADMIN_AREA })],
  ['a forged token', 401, async () => ({ authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoxfQ.' })],
];
const before = await everything();

for (const [title, status, headers] of callers) {
  t.test(`${title} may make no backstage call`, async (t) => {
    t.ok(routes.length >= 30, 'the table was read');
    for (const [name, { method, path }] of routes) {
      const payload = method === 'GET' ? undefined : (BODIES[name] ?? {});
      const response = await app.inject({
        method,
        url: `${path.replace('{key}', plugin_key)}${QUERIES[name] ?? ''}`,
        headers: await headers(),
        ...(payload && { payload }),
      });
      t.equal(response.statusCode, status, name);
      t.notMatch(response.body, plugin_key, `${name} reveals nothing`);
    }
    t.strictSame(await everything(), before, 'nothing has changed');
  });
}

t.test('the same payloads of an administrator change something', async (t) => {
  const headers = await community.bearer(1, 2);
  const { path } = contract.decideAudit;
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers,
    payload: BODIES.decideAudit ?? {},
  });
  t.equal(response.statusCode, 200);
  t.notSame(await everything(), before);
});
