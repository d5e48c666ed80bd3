import t from 'tap';
import { indexPending } from '../../../../server/community/catalogue/search/index-store.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, addTag, PUBLISHER_ID } from '../../add-plugin.ts';
import { addSubmission } from '../../add-submission.ts';
import { ask, dataOf } from '../../ask.ts';
import { pluginForm } from '../../publishing/publish/form-parts.ts';
import { itemOf, reviewer } from './reviewer.ts';

t.test('queue', async (t) => {
  const community = await testCommunity(t);
  const { db } = community;
  const { list, answer, decide, settled } = reviewer(community);
  const tag = await addTag(db, 'colour', { 'en-US': 'Colour' });
  await addTag(db, 'motion');
  const DAY = 24 * 60 * 60 * 1000;
  const begun = Date.now();
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY);

  type Draft = { key: string; days: number; name: string; publisherId?: number; tags?: string[] };
  const drafts: Draft[] = [
    { key: 'oldest-one', days: 9, name: 'Paint bucket', tags: ['colour'] },
    { key: 'middle-one', days: 5, name: '配色助手', publisherId: 201 },
    { key: 'newest-one', days: 1, name: 'Paint roller', publisherId: 202, tags: ['motion'] },
    { key: 'passed-one', days: 8, name: 'Paint passed', tags: ['colour'] },
    { key: 'refused-one', days: 7, name: 'Ink refused' },
  ];
  const ids = new Map<string, number>();
  for (const { key, days, name, publisherId = PUBLISHER_ID, tags = [] } of drafts) {
    const pluginId = await addPlugin(db, { key, publisherId, name: { 'en-US': `Live ${key}` } });
    const listing = { name: { 'en-US': name }, tags };
    ids.set(
      key,
      await addSubmission(db, {
        pluginId,
        version: '1.1.0',
        listing,
        createdAt: daysAgo(days),
        createdBy: publisherId,
      }),
    );
  }
  await decide({ plugin_key: 'passed-one', audit_status: 2 });
  await decide({ plugin_key: 'refused-one', audit_status: 3, reason: 'No.' });
  await settled();

  const keys = async (query: string) => (await list(query)).audit_list.map((item) => item.plugin.plugin_key);

  const filtered: [query: string, expected: string[]][] = [
    ['audit_status=1', ['oldest-one', 'middle-one', 'newest-one']],
    ['audit_status=2', ['passed-one']],
    ['audit_status=3', ['refused-one']],
    ['audit_status=0', ['newest-one', 'middle-one', 'refused-one', 'passed-one', 'oldest-one']],
    ['', ['newest-one', 'middle-one', 'refused-one', 'passed-one', 'oldest-one']],
    [`tag_id=${tag}`, ['passed-one', 'oldest-one']],
    [`tag_id=${tag}&audit_status=1`, ['oldest-one']],
    ['keyword=paint', ['newest-one', 'passed-one', 'oldest-one']],
    ['keyword=PAI%20ro&audit_status=1', ['newest-one']],
    [`keyword=${encodeURIComponent('配色')}`, ['middle-one']],
    ['keyword=live', []],
    [`publisher=maker`, ['newest-one', 'middle-one', 'refused-one', 'passed-one', 'oldest-one']],
    ['publisher=Maker%20201', ['middle-one']],
    ['publisher=paint', []],
    [`publisher=maker%202&keyword=paint&audit_status=1`, ['newest-one']],
    [`publisher=100&keyword=paint&audit_status=1&tag_id=${tag}`, ['oldest-one']],
    ['keyword=%21%21', []],
  ];
  for (const [query, expected] of filtered) {
    t.test(`the review list with "${query}"`, async (t) => {
      const page = await list(query);
      t.strictSame(
        page.audit_list.map((item) => item.plugin.plugin_key),
        expected,
      );
      t.equal(page.total, expected.length);
      t.equal(page.waiting, 3, 'the number of waiting submissions ignores the filter');
      t.equal(page.next_cursor, null);
    });
  }

  t.test('an item has the time of its submission', async (t) => {
    const [item] = (await list('audit_status=1')).audit_list;
    const submitted = Date.parse(item?.submitted_at ?? '') + 9 * DAY;
    t.ok(begun <= submitted && submitted <= Date.now());
  });

  t.test('the latest decision comes first', async (t) => {
    for (const key of ['decided-a', 'decided-b', 'decided-c']) {
      await addSubmission(db, { pluginId: await addPlugin(db, { key }), version: '1.1.0' });
    }
    for (const plugin_key of ['decided-b', 'decided-a', 'decided-c']) {
      await decide({ plugin_key, audit_status: 2 });
    }
    t.strictSame((await keys('audit_status=2')).slice(0, 3), ['decided-c', 'decided-a', 'decided-b']);
  });

  const paged = ['audit_status=1', 'audit_status=0', 'keyword=handed&audit_status=1', 'keyword=handed'];
  for (const [index, query] of paged.entries()) {
    t.test(`pages of "${query}" contain every submission once`, async (t) => {
      const expected = new Set<number>();
      for (let n = 0; n < 12; n += 1) {
        const pluginId = await addPlugin(db, { key: `paged-${index}-${n}-plugin` });
        // Three share a moment, so that the id must decide.
        expected.add(
          await addSubmission(db, { pluginId, version: '1.1.0', createdAt: daysAgo(20 + Math.floor(n / 3)) }),
        );
      }
      await settled();
      const met: number[] = [];
      let cursor: string | null = '';
      let total: number | undefined;
      while (cursor !== null) {
        const page = await list(`${query}&limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`);
        met.push(...page.audit_list.map((item) => item.submission_id));
        total ??= page.total;
        t.equal(page.total, total);
        cursor = page.next_cursor;
      }
      t.equal(new Set(met).size, met.length);
      t.equal(met.length, total);
      for (const id of expected) t.ok(met.includes(id));
    });
  }

  t.test('totals are updated immediately', async (t) => {
    const before = await list('audit_status=1');
    const pluginId = await addPlugin(db, { key: 'counted-one' });
    const older = await addSubmission(db, { pluginId, version: '1.1.0' });
    t.equal((await list('')).waiting, before.waiting + 1);
    await db.updateTable('submission').set({ is_superseded: true }).where('id', '=', older).execute();
    await addSubmission(db, { pluginId, version: '1.2.0' });
    t.equal((await list('')).waiting, before.waiting + 1);
    await settled();
    t.equal((await list('')).waiting, before.waiting + 1);
    await decide({ plugin_key: 'counted-one', audit_status: 2 });
    t.hasStrict(await list('audit_status=1'), { waiting: before.waiting, total: before.total });
  });

  t.test('decided and superseded submissions are removed from the search of waiting ones', async (t) => {
    await settled();
    const { rows } = await community.pool.query('select submission_id as id from waiting_search order by 1');
    const waiting = await community.pool.query(
      'select id from submission where audit_status = 1 and not is_superseded order by 1',
    );
    t.ok(rows.length > 0);
    t.strictSame(rows, waiting.rows);
  });

  t.test('a submission that is being decided is indexed afterwards, not waited for', async (t) => {
    const pluginId = await addPlugin(db, { key: 'decided-meanwhile' });
    const id = await addSubmission(db, { pluginId, version: '1.1.0' });
    const search = (table: string) =>
      community.pool
        .query(`select from ${table} where submission_id = $1`, [id])
        .then(({ rowCount }) => rowCount);
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('submission')
        .set({ audit_status: 2, decided_at: new Date() })
        .where('id', '=', id)
        .execute();
      await indexPending(db);
      t.equal(await search('submission_search'), 0);
    });
    await settled();
    t.equal(await search('submission_search'), 1);
    t.equal(await search('waiting_search'), 0);
  });

  t.test('the new name of a publisher is found', async (t) => {
    await db.updateTable('person').set({ nick_name: 'Grace' }).where('user_id', '=', 202).execute();
    await settled();
    t.strictSame(await keys('publisher=grace'), ['newest-one']);
    t.strictSame(await keys('publisher=202'), []);
  });

  const bad: [query: string, status: number, code: string][] = [
    ['audit_status=4', 400, 'VALIDATION_FAILED'],
    ['audit_status=x', 400, 'VALIDATION_FAILED'],
    ['limit=0', 400, 'VALIDATION_FAILED'],
    ['limit=101', 400, 'VALIDATION_FAILED'],
    ['tag_id=-1', 400, 'VALIDATION_FAILED'],
    [`keyword=${'x'.repeat(65)}`, 400, 'VALIDATION_FAILED'],
    ['tag_id=9999', 404, 'TAG_NOT_FOUND'],
    ['cursor=bm9uc2Vuc2U', 400, 'BAD_CURSOR'],
  ];
  for (const [query, status, code] of bad) {
    t.test(`refused: ${query.slice(0, 40)}`, async (t) => {
      const refused = await answer(`plugin/audit/list?${query}`);
      t.equal(refused.status, status);
      t.hasStrict(refused.json, { code });
    });
  }

  t.test('a cursor belongs to its filters', async (t) => {
    const { next_cursor } = await list('audit_status=1&limit=1');
    for (const query of [
      'audit_status=0',
      'audit_status=1&keyword=paint',
      'audit_status=1&publisher=maker',
    ]) {
      const refused = await answer(`plugin/audit/list?${query}&cursor=${next_cursor}`);
      t.hasStrict(refused.json, { code: 'BAD_CURSOR' }, query);
    }
  });
});

t.test('own submissions', async (t) => {
  const ADMIN = 1;
  const COLLEAGUE = 2;
  const OWN = {
    code: 'OWN_SUBMISSION',
    message:
      'Nobody decides on their own submission. Another administrator can, or REVIEW_OWN_SUBMISSIONS=yes allows it.',
  };

  const community = await testCommunity(t);
  const { db, pool, url, bearer } = community;
  const { decide, claim, list, answer } = reviewer(community);

  const submitPlugin = async (key: string, version = '1.1.0') => {
    const pluginId = await addPlugin(db, { key, publisherId: ADMIN });
    return addSubmission(db, { pluginId, version, createdBy: ADMIN });
  };
  const statusOf = async (id: number) =>
    (await pool.query('select audit_status, claimed_by from submission where id = $1', [id])).rows[0];

  for (const decision of [{ audit_status: 2 }, { audit_status: 3, reason: 'No.' }]) {
    t.test(`reviewers cannot decide on their own submission: ${decision.audit_status}`, async (t) => {
      const plugin_key = `own-decided-${decision.audit_status}`;
      const submission_id = await submitPlugin(plugin_key);
      for (const body of [{ plugin_key, submission_id }, { plugin_key }, { plugin_key, version: '1.1.0' }]) {
        const refused = await decide({ ...body, ...decision });
        t.equal(refused.status, 403);
        t.strictSame(refused.json, OWN);
      }
      t.strictSame(await statusOf(submission_id), { audit_status: 1, claimed_by: null });
      t.equal((await pool.query('select from review where submission_id = $1', [submission_id])).rowCount, 0);
      t.match(itemOf(await decide({ plugin_key, submission_id, ...decision }, COLLEAGUE)), decision);
    });
  }

  t.test('reviewers cannot change a decision of others on their own submission', async (t) => {
    const submission_id = await submitPlugin('own-taken-back');
    const body = { plugin_key: 'own-taken-back', submission_id };
    itemOf(await decide({ ...body, audit_status: 2 }, COLLEAGUE));
    const back = { ...body, audit_status: 3, expected_status: 2, reason: 'No.' };
    t.strictSame((await decide(back)).json, OWN);
    itemOf(await decide(back, COLLEAGUE));
    t.strictSame((await decide({ ...body, audit_status: 2, expected_status: 3 })).json, OWN);
    t.hasStrict(await statusOf(submission_id), { audit_status: 3 });
  });

  t.test('reviewers cannot claim their own submission', async (t) => {
    const submission_id = await submitPlugin('own-claimed');
    const refused = await claim(submission_id);
    t.equal(refused.status, 403);
    t.strictSame(refused.json, OWN);
    t.strictSame(await statusOf(submission_id), { audit_status: 1, claimed_by: null });
    t.equal((await claim(submission_id, COLLEAGUE)).status, 200);
  });

  t.test('a submission by a reviewer’s own publish token is their own', async (t) => {
    const headers = await bearer(ADMIN, 2);
    const created = await ask(url, 'plugin/token', { headers, body: { name: 'CI', days: 1 } });
    const { secret } = dataOf(created, contract.createPublishToken.data);
    const response = await fetch(`${url}/api/cmt/plugin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: pluginForm(),
    });
    t.equal(response.status, 200);
    const { data } = (await response.json()) as { data: { plugin_key: string } };
    const refused = await decide({ plugin_key: data.plugin_key, audit_status: 2 });
    t.equal(refused.status, 403);
    t.strictSame(refused.json, OWN);
    t.hasStrict(itemOf(await decide({ plugin_key: data.plugin_key, audit_status: 2 }, COLLEAGUE)), {
      audit_status: 2,
    });
  });

  type Colleagues = {
    title: string;
    key: string;
    publisher: number;
    uploader: number;
    editors: number[];
    barred: number[];
  };
  const THIRD = 3;
  const FOURTH = 4;
  const colleagues: Colleagues[] = [
    {
      title: 'a colleague’s change of one’s own plugin',
      key: 'shared-one',
      publisher: ADMIN,
      uploader: COLLEAGUE,
      editors: [COLLEAGUE],
      barred: [ADMIN, COLLEAGUE],
    },
    {
      title: 'one’s version with a text that a colleague edited',
      key: 'edited-one',
      publisher: PUBLISHER_ID,
      uploader: ADMIN,
      editors: [ADMIN, COLLEAGUE],
      barred: [ADMIN, COLLEAGUE],
    },
    {
      title: 'a text that somebody edited before it was edited again',
      key: 'edited-twice',
      publisher: PUBLISHER_ID,
      uploader: ADMIN,
      editors: [ADMIN, COLLEAGUE, THIRD],
      barred: [ADMIN, COLLEAGUE, THIRD],
    },
  ];
  await pool.query(`insert into person (user_id, nick_name) values ($1, 'Third') on conflict do nothing`, [
    THIRD,
  ]);
  for (const { title, key, publisher, uploader, editors, barred } of colleagues) {
    t.test(`all authors are barred: ${title}`, async (t) => {
      const pluginId = await addPlugin(db, { key, publisherId: publisher });
      await pool.query(
        'update submission set is_superseded = true where plugin_id = $1 and audit_status = 1',
        [pluginId],
      );
      const version = '1.1.0';
      let submission_id = 0;
      for (const [index, createdBy] of editors.entries()) {
        await pool.query(
          'update submission set is_superseded = true where plugin_id = $1 and audit_status = 1',
          [pluginId],
        );
        submission_id = await addSubmission(db, { pluginId, createdBy, ...(index === 0 && { version }) });
      }
      await pool.query(`update plugin_version set created_by = $1 where plugin_id = $2 and version = $3`, [
        uploader,
        pluginId,
        version,
      ]);
      for (const author of barred) {
        for (const audit_status of [2, 3]) {
          const refused = await decide(
            { plugin_key: key, submission_id, version, audit_status, reason: 'No.' },
            author,
          );
          t.strictSame(refused.json, OWN);
        }
        t.strictSame((await claim(submission_id, author)).json, OWN);
        const { audit_list } = await list('audit_status=1', author);
        t.hasStrict(
          audit_list.find((item) => item.submission_id === submission_id),
          { is_own: true, is_barred: true },
        );
      }
      t.equal((await claim(submission_id, FOURTH)).status, 200);
      t.equal(
        (await decide({ plugin_key: key, submission_id, version, audit_status: 2 }, FOURTH)).status,
        200,
      );
    });
  }

  t.test('who submitted before the last approval is no author of what came after', async (t) => {
    const pluginId = await addPlugin(db, { key: 'approved-since' });
    await addSubmission(db, { pluginId, version: '1.1.0', createdBy: ADMIN, status: 2 });
    const next = await addSubmission(db, { pluginId, version: '1.2.0', createdBy: COLLEAGUE });
    t.equal(
      (await decide({ plugin_key: 'approved-since', submission_id: next, audit_status: 2 })).status,
      200,
    );
  });

  t.test('list and details mark own submissions as barred', async (t) => {
    const submission_id = await submitPlugin('own-listed');
    const mine = (await list('audit_status=1')).audit_list.find(
      (item) => item.submission_id === submission_id,
    );
    t.hasStrict(mine, { is_own: true, is_barred: true });
    const theirs = (await list('audit_status=1', COLLEAGUE)).audit_list.find(
      (item) => item.submission_id === submission_id,
    );
    t.hasStrict(theirs, { is_own: false, is_barred: false });
    const path = `manager/plugin/audit?submission_id=${submission_id}`;
    t.hasStrict(dataOf(await answer(path), contract.readAudit.data).item, { is_own: true, is_barred: true });
  });

  t.test('a setting allows it for a site with only one administrator', async (t) => {
    const alone = await testCommunity(t, { reviewsOwn: true });
    const pluginId = await addPlugin(alone.db, { key: 'own-allowed', publisherId: ADMIN });
    const submission_id = await addSubmission(alone.db, { pluginId, version: '1.1.0', createdBy: ADMIN });
    const chief = reviewer(alone);
    const [mine] = (await chief.list()).audit_list;
    t.hasStrict(mine, { is_own: true, is_barred: false });
    t.equal((await chief.claim(submission_id)).status, 200);
    t.hasStrict(itemOf(await chief.decide({ plugin_key: 'own-allowed', submission_id, audit_status: 2 })), {
      audit_status: 2,
    });
    const { rows } = await alone.pool.query('select detail from audit_trail where target_id = $1', [
      String(submission_id),
    ]);
    t.hasStrict(rows[0].detail, { own: true }, 'the audit log marks it');
  });
});
