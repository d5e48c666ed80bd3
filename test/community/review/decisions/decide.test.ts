import t from 'tap';
import { contract, type Operation } from '../../../../shared/contract.ts';
import type { Route } from '../../../../shared/route.ts';
import { RIGHTS } from '../../../rights/table.ts';
import { testCommunity } from '../../../support/community.ts';
import { SETTLED_TABLES } from '../../../support/settled-tables.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf } from '../../ask.ts';
import { decisionOn } from './decision.ts';
import { itemOf, reviewer } from './reviewer.ts';

t.test('decide', async (t) => {
  const at = Date.now();
  const community = await testCommunity(t, { now: () => at });
  const { db, pool, url } = community;
  const { decide, claim } = reviewer(community);

  const seen = (key: string) => ask(url, `plugin?plugin_key=${key}`);
  const detail = async (key: string) => dataOf(await seen(key), contract.readPlugin.data);
  const value = async (sql: string, ...parameters: unknown[]) => (await pool.query(sql, parameters)).rows[0];

  t.test('an approval publishes the submission and is recorded', async (t) => {
    const pluginId = await addPlugin(db, { key: 'approved-one' });
    const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
    const answer = await decide({ plugin_key: 'approved-one', submission_id, audit_status: 2 });
    t.match(itemOf(answer), {
      submission_id,
      audit_status: 2,
      reason: null,
      decided_by: { user_id: 1, nick_name: 'Ada' },
      decided_at: new Date(at).toISOString(),
      claimed_by: null,
    });
    t.hasStrict(await detail('approved-one'), { name: 'Handed in', version: '1.1.0' });
    t.hasStrict(await value('select * from review where submission_id = $1', submission_id), {
      audit_status: 2,
      reason: null,
      reviewer_id: 1,
    });
    t.hasStrict(await value(`select * from audit_trail where target_id = $1`, String(submission_id)), {
      actor_id: 1,
      action: 'submission.approve',
      target_kind: 'submission',
      target_name: 'Handed in',
      detail: { plugin_key: 'approved-one', version: '1.1.0', reason: null, own: false },
    });
  });

  t.test('a refusal changes nothing that is public, and has its reason', async (t) => {
    const pluginId = await addPlugin(db, { key: 'refused-one', name: { 'en-US': 'Old' } });
    const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
    const reason = ' It opens\r\na window. ';
    const answer = await decide({ plugin_key: 'refused-one', submission_id, audit_status: 3, reason });
    t.hasStrict(itemOf(answer), { audit_status: 3, reason: 'It opens\na window.' });
    t.hasStrict(await detail('refused-one'), { name: 'Old', version: '1.0.0' });
    t.hasStrict(
      await value(`select * from plugin_version where plugin_id = $1 and version = '1.1.0'`, pluginId),
      {
        audit_status: 3,
      },
    );
    t.hasStrict(await value(`select * from audit_trail where target_id = $1`, String(submission_id)), {
      action: 'submission.reject',
      detail: { reason: 'It opens\na window.' },
    });
  });

  t.test('a plugin whose first submission is refused stays invisible and is refused', async (t) => {
    const pluginId = await addPlugin(db, { key: 'first-refused', auditStatus: 1 });
    await db.updateTable('plugin').set({ current_version_id: null }).where('id', '=', pluginId).execute();
    await addSubmission(db, { pluginId });
    const answer = await decide({ plugin_key: 'first-refused', audit_status: 3, reason: 'No.' });
    t.hasStrict(itemOf(answer), { audit_status: 3, is_live: false });
    t.hasStrict(await value('select audit_status from plugin where id = $1', pluginId), { audit_status: 3 });
    t.equal((await seen('first-refused')).status, 404);
    const later = await decide({ plugin_key: 'first-refused', audit_status: 2, expected_status: 3 });
    t.hasStrict(itemOf(later), { audit_status: 2, reason: null, is_live: true });
    t.hasStrict(await detail('first-refused'), { name: 'Handed in' });
  });

  for (const reason of [undefined, '', '  \n\t ']) {
    t.test(`a refusal needs a reason, not ${JSON.stringify(reason)}`, async (t) => {
      const key = `reasonless-${String(reason).length}`;
      const pluginId = await addPlugin(db, { key });
      const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
      const answer = await decide({ plugin_key: key, submission_id, audit_status: 3, reason });
      t.equal(answer.status, 422);
      t.strictSame(answer.json, {
        code: 'REASON_REQUIRED',
        message: 'Please enter the reason of the rejection.',
        errors: [{ pointer: '/reason', message: 'must not be empty' }],
      });
      t.hasStrict(await value('select audit_status from submission where id = $1', submission_id), {
        audit_status: 1,
      });
    });
  }

  t.test('of two simultaneous decisions one succeeds, the other gets who decided and what', async (t) => {
    for (let round = 0; round < 10; round += 1) {
      const key = `decided-race-${round}`;
      const pluginId = await addPlugin(db, { key });
      const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
      const answers = await Promise.all([
        decide({ plugin_key: key, submission_id, audit_status: 2 }, 1),
        decide({ plugin_key: key, submission_id, audit_status: 3, reason: 'No.' }, 2),
      ]);
      const [won] = answers.filter((answer) => answer.status === 200);
      const [lost] = answers.filter((answer) => answer.status !== 200);
      if (!won || !lost) return t.fail('not exactly one was faster');
      const { audit_status, reason, decided_by, decided_at } = itemOf(won);
      t.equal(lost.status, 409);
      t.strictSame(lost.json, {
        code: 'ALREADY_DECIDED',
        message: 'Somebody else has decided this in the meantime.',
        data: { by: decided_by, at: decided_at, audit_status, reason },
      });
      t.hasStrict(await value('select count(*) from review where submission_id = $1', submission_id), {
        count: 1,
      });
      const auditLog = await value(
        'select count(*) from audit_trail where target_id = $1',
        String(submission_id),
      );
      t.hasStrict(auditLog, { count: 1 });
    }
  });

  t.test('repeating a decision is a conflict too', async (t) => {
    const pluginId = await addPlugin(db, { key: 'twice-decided' });
    await addSubmission(db, { pluginId, version: '1.1.0' });
    const body = { plugin_key: 'twice-decided', audit_status: 2 };
    t.equal((await decide(body)).status, 200);
    t.hasStrict((await decide(body)).json, { code: 'ALREADY_DECIDED', data: { audit_status: 2 } });
    t.hasStrict((await decide({ ...body, expected_status: 2 })).json, { code: 'ALREADY_DECIDED' });
  });

  t.test('a superseded submission can no longer be decided', async (t) => {
    const pluginId = await addPlugin(db, { key: 'overtaken-one' });
    const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
    await db.updateTable('submission').set({ is_superseded: true }).where('id', '=', submission_id).execute();
    await addSubmission(db, { pluginId, version: '1.2.0' });
    const answer = await decide({ plugin_key: 'overtaken-one', submission_id, audit_status: 2 });
    t.equal(answer.status, 409);
    t.hasStrict(answer.json, { code: 'CONFLICT', data: { by: { user_id: PUBLISHER_ID }, audit_status: 1 } });
  });

  t.test('a claimed submission is decided by the claiming reviewer, until the claim expires', async (t) => {
    const pluginId = await addPlugin(db, { key: 'claimed-one' });
    const submission_id = await addSubmission(db, { pluginId, version: '1.1.0' });
    await claim(submission_id, 2);
    const body = { plugin_key: 'claimed-one', submission_id, audit_status: 2 };
    const refused = await decide(body, 1);
    t.equal(refused.status, 409);
    t.strictSame(refused.json, {
      code: 'ALREADY_CLAIMED',
      message: 'Somebody else is reviewing this.',
      data: {
        by: { user_id: 2, nick_name: 'Ada', avatar_url: '' },
        at: new Date(at).toISOString(),
        audit_status: null,
        reason: null,
      },
    });
    await db
      .updateTable('submission')
      .set({ claimed_until: new Date(at - 1) })
      .where('id', '=', submission_id)
      .execute();
    t.hasStrict(itemOf(await decide(body, 1)), { audit_status: 2, claimed_by: null, claimed_until: null });
  });

  const unknown: [title: string, body: Record<string, unknown>, code: string][] = [
    ['an unknown plugin', { plugin_key: 'no-such-plugin' }, 'PLUGIN_NOT_FOUND'],
    ['a deleted plugin', { plugin_key: 'deleted-one' }, 'PLUGIN_NOT_FOUND'],
    ['an unknown submission', { plugin_key: 'known-one', submission_id: 999_999 }, 'SUBMISSION_NOT_FOUND'],
  ];
  t.test('a missing plugin, submission or version cannot be decided', async (t) => {
    await addPlugin(db, { key: 'never-handed' });
    const deleted = await addPlugin(db, { key: 'deleted-one', deletedAt: new Date() });
    await addSubmission(db, { pluginId: deleted, version: '1.1.0' });
    const pluginId = await addPlugin(db, { key: 'known-one' });
    await addSubmission(db, { pluginId, version: '1.1.0' });
    const other = await addSubmission(db, {
      pluginId: await addPlugin(db, { key: 'other-one' }),
      version: '1.1.0',
    });
    for (const [title, body, code] of [
      ...unknown,
      [
        'an unknown version',
        { plugin_key: 'other-one', submission_id: other, version: '9.9.9' },
        'VERSION_NOT_FOUND',
      ] as const,
      [
        "another plugin's",
        { plugin_key: 'known-one', submission_id: other },
        'SUBMISSION_NOT_FOUND',
      ] as const,
    ]) {
      const answer = await decide({ audit_status: 2, submission_id: other, version: '1.1.0', ...body });
      t.equal(answer.status, 404, title);
      t.hasStrict(answer.json, { code }, title);
    }
  });

  const bad: [title: string, body: Record<string, unknown>][] = [
    ['a status that decides nothing', { audit_status: 1 }],
    ['an unknown status', { audit_status: 4 }],
    ['a reason that is too long', { audit_status: 3, reason: 'x'.repeat(501) }],
    ['a reason with control characters', { audit_status: 3, reason: 'a\u0000b' }],
    ['no plugin', { plugin_key: undefined }],
    ['no submission: whatever is newest', { submission_id: undefined }],
    ['no version: it may have changed meanwhile', { version: undefined }],
  ];
  for (const [title, body] of bad) {
    t.test(`refused: ${title}`, async (t) => {
      const { submission_id, version } = await decisionOn(db, { plugin_key: 'known-one' });
      const answer = await decide({
        plugin_key: 'known-one',
        submission_id,
        version,
        audit_status: 2,
        ...body,
      });
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code: 'VALIDATION_FAILED' });
    });
  }

  t.test('deleting a plugin withdraws its waiting submission', async (t) => {
    const pluginId = await addPlugin(db, { key: 'withdrawn-one' });
    const submission = await addSubmission(db, { pluginId, version: '1.1.0' });
    await db.updateTable('plugin').set({ deleted_at: new Date() }).where('id', '=', pluginId).execute();
    t.hasStrict(await value('select is_superseded from submission where id = $1', submission), {
      is_superseded: true,
    });
  });

  t.test('an incomplete submission is not approved, and the error lists what is missing', async (t) => {
    const pluginId = await addPlugin(db, { key: 'incomplete-one' });
    const listing = { intro: {}, contact: ' ', copyright: { kind: 'custom' as const, holder: '' } };
    const submission_id = await addSubmission(db, { pluginId, version: '1.1.0', listing });
    await pool.query(`update plugin_version set note = '{}' where plugin_id = $1 and version = '1.1.0'`, [
      pluginId,
    ]);
    const refusal = await decide({ plugin_key: 'incomplete-one', submission_id, audit_status: 2 });
    t.equal(refusal.status, 422);
    t.match(refusal.json, {
      code: 'LISTING_INCOMPLETE',
      message: 'This submission is not complete and cannot be approved.',
      errors: ['/intro', '/contact', '/version_note', '/copyright_holder'].map((pointer) => ({
        code: 'FIELD_REQUIRED',
        pointer,
        message: 'This is required.',
      })),
    });
    t.hasStrict(await value('select audit_status from submission where id = $1', submission_id), {
      audit_status: 1,
    });
    t.hasStrict(await detail('incomplete-one'), { version: '1.0.0' });
    const rejected = await decide({
      plugin_key: 'incomplete-one',
      submission_id,
      audit_status: 3,
      reason: 'Say what it does.',
    });
    t.hasStrict(itemOf(rejected), { audit_status: 3 }, 'it can be rejected');
  });

  t.test('a change of only the listing needs no version description', async (t) => {
    const pluginId = await addPlugin(db, { key: 'noteless-one' });
    await pool.query(`update plugin_version set note = '{}' where plugin_id = $1`, [pluginId]);
    const submission_id = await addSubmission(db, { pluginId });
    const answer = await decide({ plugin_key: 'noteless-one', submission_id, audit_status: 2 });
    t.hasStrict(itemOf(answer), { audit_status: 2 });
  });
});

t.test('rights of reviewers', async (t) => {
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
    decideAudit: { plugin_key, submission_id, version: '1.1.0', audit_status: 2 },
    withdrawPlugin: { plugin_key, is_withdrawn: true, reason: 'Steals files' },
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

  /** Number and content of all rows but what the service settles by itself. */
  async function everything(): Promise<Record<string, string>> {
    const { rows: tables } = await pool.query(
      `select tablename from pg_tables where schemaname = 'community' and tablename <> all ($1)`,
      [SETTLED_TABLES],
    );
    const entries = tables.map(async ({ tablename }) => {
      const { rows } = await pool.query(
        `select count(*) || ' ' || coalesce(md5(string_agg(content, ',' order by content)), '') as content
          from (select (to_jsonb(t) - 'active_count')::text as content from "${tablename}" t) rows`,
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
});
