import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { type FileStore, openFolderStore } from '../../../../server/community/files/media/files.ts';
import { memoizeBytes, openReleases } from '../../../../server/community/use/packages/releases.ts';
import { contract } from '../../../../shared/contract.ts';
import { type TestCommunity, testCommunity, testFolder } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { addPlugin } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';

type Page = {
  next_cursor: string | null;
  plugin_list: { is_available: boolean; plugin: { plugin_key: string } }[];
};

const keys = ({ plugin_list }: Page) => plugin_list.map(({ plugin }) => plugin.plugin_key);

type OwnList = Pick<TestCommunity, 'db' | 'pool'> & {
  listOf: (userId: number, query?: string) => Promise<Answer>;
  pageOf: (userId: number, query?: string) => Promise<Page>;
  add: (userId: number, key: string) => Promise<Answer>;
  remove: (userId: number, key: string) => Promise<Answer>;
  /** SQL that gives half of the rows of user 10 the same time. */
  atOneTime: string;
};

/** Cases of installed and of liked plugins: those that are gone, pages, and bad queries. */
function testOwnList(t: Test, { db, pool, listOf, pageOf, add, remove, atOneTime }: OwnList): void {
  for (const [title, change] of [
    ['hidden', { is_hidden: true }],
    ['deleted', { deleted_at: new Date() }],
  ] as const) {
    t.test(`a plugin that was ${title} is listed as no longer available, and can be removed`, async (t) => {
      const key = `was-${title}-since`;
      await addPlugin(db, { key });
      await add(9, key);
      await db.updateTable('plugin').set(change).where('plugin_key', '=', key).execute();
      const found = (await pageOf(9)).plugin_list.find(({ plugin }) => plugin.plugin_key === key);
      t.hasStrict(found, { is_available: false });
      t.equal((await remove(9, key)).status, 200);
      t.notOk(keys(await pageOf(9)).includes(key));
    });
  }

  t.test('pages have no gap, even between entries of the same time', async (t) => {
    for (let index = 0; index < 7; index += 1) {
      await addPlugin(db, { key: `many-number-${index}` });
      await add(10, `many-number-${index}`);
    }
    await pool.query(atOneTime);
    const all = keys(await pageOf(10));
    t.equal(all.length, 7);
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await pageOf(10, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      walked.push(...keys(page));
      cursor = page.next_cursor;
    }
    t.strictSame(walked, all);
  });

  for (const [title, query, code] of [
    ['a cursor that is none', '?cursor=abc', 'BAD_CURSOR'],
    ['a limit of nothing', '?limit=0', 'VALIDATION_FAILED'],
    ['a limit above the largest page', '?limit=101', 'VALIDATION_FAILED'],
  ] as const) {
    t.test(`rejected: ${title}`, async (t) => {
      const answer = await listOf(7, query);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code });
    });
  }
}

t.test('installed plugins', async (t) => {
  const community = await testCommunity(t);
  const { db, url, bearer } = community;

  const install = async (userId: number, plugin_key: string, method = 'POST'): Promise<Answer> =>
    ask(url, 'plugin/user', { method, headers: await bearer(userId), body: { plugin_key } });
  const listOf = async (userId: number, query = ''): Promise<Answer> =>
    ask(url, `plugin/user/list${query}`, { headers: await bearer(userId) });
  const pageOf = async (userId: number, query = '') =>
    dataOf(await listOf(userId, query), contract.listInstalled.data);

  t.test('without installs the list is empty', async (t) => {
    t.strictSame(await pageOf(4711), {
      total: 0,
      total_estimated: false,
      next_cursor: null,
      plugin_list: [],
    });
  });

  t.test('lists installs, newest first, with their state', async (t) => {
    for (const key of ['first-plugin', 'second-plugin', 'third-plugin']) {
      await addPlugin(db, { key, name: { 'en-US': key, 'es-ES': `${key} en español` } });
      t.equal((await install(7, key)).status, 200);
    }
    await install(8, 'first-plugin');
    await install(7, 'first-plugin', 'DELETE');
    t.strictSame(keys(await pageOf(7)), ['third-plugin', 'second-plugin']);
    await install(7, 'first-plugin');
    const page = await pageOf(7);
    t.strictSame(
      keys(page),
      ['first-plugin', 'third-plugin', 'second-plugin'],
      'installed again, it comes first',
    );
    t.equal(page.total, 3);
    t.hasStrict(page.plugin_list[0], {
      is_available: true,
      plugin: { is_installed: true, name: 'first-plugin' },
    });
    const headers = { ...(await bearer(7)), 'accept-language': 'es-ES' };
    const spanish = dataOf(await ask(url, 'plugin/user/list', { headers }), contract.listInstalled.data);
    t.equal(spanish.plugin_list[0]?.plugin.name, 'first-plugin en español');
  });

  testOwnList(t, {
    ...community,
    listOf,
    pageOf,
    add: install,
    remove: (userId, key) => install(userId, key, 'DELETE'),
    atOneTime:
      "update plugin_install set installed_at = '2025-01-01' where user_id = 10 and plugin_id % 2 = 0",
  });

  t.test("somebody else's cursor is refused", async (t) => {
    const { next_cursor } = await pageOf(10, '?limit=2');
    const answer = await listOf(7, `?cursor=${next_cursor}`);
    t.equal(answer.status, 400);
    t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
  });
});

t.test('releases', async (t) => {
  t.test('bytes are created once, and cached up to the limit', async (t) => {
    const memoized = memoizeBytes({ bytes: 25 });
    let made = 0;
    const make = async (): Promise<Uint8Array> => {
      made += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return new Uint8Array(10);
    };
    await Promise.all([memoized('a', make), memoized('a', make), memoized('b', make)]);
    t.equal(made, 2);
    await memoized('a', make);
    t.equal(made, 2, 'kept');
    await memoized('c', make);
    await memoized('a', make);
    t.equal(made, 3, 'the one asked for last stays');
    await memoized('b', make);
    t.equal(made, 4, 'the one asked for first has gone');
    await t.rejects(
      memoized('h', () => Promise.reject(new Error('lost'))),
      { message: 'lost' },
    );
    t.equal((await memoized('h', make)).length, 10, 'a failure is not kept');
  });

  t.test('a store that stalls with some packages delays no other', async (t) => {
    const files = openFolderStore(await testFolder(t));
    const name = `${'a'.repeat(64)}.json`;
    await files.put(name, Buffer.from('{"manifest":{},"files":{}}'));
    const opening = Promise.withResolvers<never>();
    let stalled: Readable | undefined;
    const stalling: FileStore = {
      ...files,
      async get(asked) {
        if (asked.startsWith('b')) return opening.promise;
        if (!asked.startsWith('c')) return files.get(asked);
        const stream = () => {
          stalled = new Readable({ read: () => undefined });
          return stalled;
        };
        return { bytes: 1, stream, close: async () => undefined };
      },
    };
    const stuckNames = ['b', 'c'].map((digit) => `${digit.repeat(64)}.json`);
    const releases = openReleases(stalling);
    const impatient = openReleases(stalling, { readTime: 1 });
    const busy = openReleases(stalling, { workTime: 1 });
    // The timers of signals keep no process running.
    const running = setInterval(() => undefined, 1000);
    t.teardown(async () => {
      clearInterval(running);
      await Promise.all([releases.close(), impatient.close(), busy.close()]);
    });
    let stalls = 0;
    for (const stuck of stuckNames) {
      stalls += 1;
      void releases.read(stuck).catch(() => {
        stalls -= 1;
      });
    }
    t.match(Buffer.from(await releases.read(name)).toString(), /"manifest"/);
    t.equal(stalls, stuckNames.length, 'read while the others stall');
    for (const stuck of stuckNames)
      await t.rejects(impatient.read(stuck), { code: 'SERVICE_UNAVAILABLE', statusCode: 503 });
    await until(() => stalled?.destroyed);
    await t.rejects(busy.read(name), { code: 'SERVICE_UNAVAILABLE', statusCode: 503 }, 'a slow thread');
  });

  t.test('an entry larger than the cache is cached alone', async (t) => {
    const memoized = memoizeBytes({ bytes: 5 });
    let made = 0;
    const make = async (): Promise<Uint8Array> => {
      made += 1;
      return new Uint8Array(10);
    };
    await memoized('a', make);
    await memoized('a', make);
    t.equal(made, 1);
    await memoized('b', make);
    await memoized('a', make);
    t.equal(made, 3);
  });
});

t.test('liked plugins', async (t) => {
  const community = await testCommunity(t);
  const { db, url, bearer } = community;

  const praise = async (userId: number, plugin_key: string, praise = 1): Promise<Answer> =>
    ask(url, 'plugin/user/praise', { headers: await bearer(userId), body: { plugin_key, praise } });
  const listOf = async (userId: number, query = ''): Promise<Answer> =>
    ask(url, `plugin/liked${query}`, { headers: await bearer(userId) });
  const pageOf = async (userId: number, query = '') =>
    dataOf(await listOf(userId, query), contract.listLiked.data);

  t.test('without likes the list is empty', async (t) => {
    t.strictSame(await pageOf(4711), {
      total: 0,
      total_estimated: false,
      next_cursor: null,
      plugin_list: [],
    });
  });

  t.test('lists the likes of the caller only, latest first', async (t) => {
    for (const key of ['first-plugin', 'second-plugin', 'third-plugin']) {
      await addPlugin(db, { key });
      t.equal((await praise(7, key)).status, 200);
    }
    await praise(8, 'first-plugin');
    await praise(7, 'first-plugin', -1);
    t.strictSame(keys(await pageOf(7)), ['third-plugin', 'second-plugin']);
    t.strictSame(keys(await pageOf(8)), ['first-plugin']);
    const before = Date.now();
    await praise(7, 'first-plugin');
    const page = await pageOf(7);
    t.strictSame(
      keys(page),
      ['first-plugin', 'third-plugin', 'second-plugin'],
      'liked again, it comes first',
    );
    t.hasStrict(page, { total: 3, total_estimated: false, next_cursor: null });
    t.hasStrict(page.plugin_list[0], { is_available: true, plugin: { is_praise: 1, praise_count: 2 } });
    const at = Date.parse(page.plugin_list[0]?.liked_at ?? '');
    t.ok(before <= at && at <= Date.now());
  });

  testOwnList(t, {
    ...community,
    listOf,
    pageOf,
    add: praise,
    remove: (userId, key) => praise(userId, key, -1),
    atOneTime: "update plugin_like set created_at = '2025-01-01' where user_id = 10 and plugin_id % 2 = 0",
  });

  t.test("somebody else's cursor, and one of what is installed, are refused", async (t) => {
    const { next_cursor } = await pageOf(10, '?limit=2');
    const foreign = await listOf(7, `?cursor=${next_cursor}`);
    t.equal(foreign.status, 400);
    t.hasStrict(foreign.json, { code: 'BAD_CURSOR' });
    const headers = await bearer(10);
    const other = await ask(url, `plugin/user/list?cursor=${next_cursor}`, { headers });
    t.equal(other.status, 400);
    t.hasStrict(other.json, { code: 'BAD_CURSOR' });
  });
});

t.test('default installs', async (t) => {
  const community = await testCommunity(t);
  const { db, pool, url } = community;
  const admin = await community.bearer(1, 1);

  const setDefault = (plugin_key: string, is_silent = true) =>
    ask(url, 'plugin/silent_install', { method: 'PUT', headers: admin, body: { plugin_key, is_silent } });
  const signIn = async (userId: number) =>
    dataOf(
      await ask(url, 'plugin/user/new/silent', { method: 'POST', headers: await community.bearer(userId) }),
      contract.installDefaults.data,
    ).plugin_keys;
  const use = async (method: string, userId: number, plugin_key: string) =>
    ask(url, 'plugin/user', { method, headers: await community.bearer(userId), body: { plugin_key } });
  const installs = async (plugin_key: string) =>
    dataOf(await ask(url, `plugin?plugin_key=${plugin_key}`), contract.readPlugin.data).install_count;
  const rows = async (plugin_key: string) =>
    (
      await pool.query(
        `select count(*) from plugin_install where uninstalled_at is null
        and plugin_id = (select id from plugin where plugin_key = $1)`,
        [plugin_key],
      )
    ).rows[0].count;

  for (const key of ['default-one', 'default-two', 'later-one']) await addPlugin(db, { key });

  t.test('a default is installed on the first sign-in, once', async (t) => {
    t.strictSame(await signIn(7), [], 'there is none yet');
    t.hasStrict(dataOf(await setDefault('default-one'), contract.setSilentInstall.data), {
      is_silent: true,
      plugin: { plugin_key: 'default-one' },
    });
    await setDefault('default-two');
    t.strictSame(await signIn(7), ['default-one', 'default-two']);
    t.strictSame(await signIn(7), []);
    t.equal(await installs('default-one'), 1);
    const { rows: kept } = await pool.query('select is_silent from plugin_install where user_id = 7');
    t.strictSame(kept, [{ is_silent: true }, { is_silent: true }]);
  });

  t.test('a later default is installed on the next sign-in', async (t) => {
    await setDefault('later-one');
    t.strictSame(await signIn(7), ['later-one']);
  });

  t.test('an uninstalled default is not installed again, even as a new default', async (t) => {
    await use('DELETE', 7, 'default-one');
    t.strictSame(await signIn(7), []);
    await setDefault('default-one', false);
    await setDefault('default-one');
    t.strictSame(await signIn(7), []);
    t.equal(await installs('default-one'), 0);
    await use('POST', 7, 'default-one');
    t.equal(await installs('default-one'), 1, 'until they install it themselves');
  });

  t.test('a default that the user has installed is not counted again', async (t) => {
    await use('POST', 8, 'default-two');
    const before = await installs('default-two');
    t.strictSame(await signIn(8), ['default-one', 'later-one']);
    t.equal(await installs('default-two'), before);
  });

  t.test('thirty concurrent calls install once', async (t) => {
    const before = await installs('default-one');
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(9)));
    t.strictSame(answers.flat().sort(), ['default-one', 'default-two', 'later-one']);
    t.equal(await installs('default-one'), before + 1);
  });

  t.test('counters match the rows after concurrent calls of many users', async (t) => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => signIn(100 + (n % 20))));
    t.equal(answers.flat().length, 20 * 3);
    for (const key of ['default-one', 'default-two', 'later-one'])
      t.equal(await installs(key), await rows(key));
  });

  t.test('invisible plugins are installed once they are visible', async (t) => {
    const hidden = await addPlugin(db, { key: 'hidden-default', isHidden: true });
    await addPlugin(db, { key: 'refused-default', auditStatus: 3 });
    await addPlugin(db, { key: 'deleted-default' });
    for (const key of ['hidden-default', 'refused-default', 'deleted-default']) {
      t.equal((await setDefault(key)).status, 200);
    }
    await db
      .updateTable('plugin')
      .set({ deleted_at: new Date() })
      .where('plugin_key', '=', 'deleted-default')
      .execute();
    t.strictSame(await signIn(7), []);
    await db.updateTable('plugin').set({ is_hidden: false }).where('id', '=', hidden).execute();
    t.strictSame(await signIn(7), ['hidden-default']);
  });

  t.test('existing installs stay after a default ends', async (t) => {
    const before = await installs('later-one');
    t.hasStrict(dataOf(await setDefault('later-one', false), contract.setSilentInstall.data), {
      is_silent: false,
    });
    t.equal(await installs('later-one'), before);
    t.notOk((await signIn(300)).includes('later-one'));
  });

  t.test('each change has one audit log entry', async (t) => {
    await pool.query('delete from audit_trail');
    await setDefault('later-one');
    await setDefault('later-one');
    await setDefault('later-one', false);
    const { rows: entries } = await pool.query(
      'select action, target_id, target_name from audit_trail order by id',
    );
    t.strictSame(entries, [
      { action: 'plugin.silent', target_id: 'later-one', target_name: 'Plugin later-one' },
      { action: 'plugin.not_silent', target_id: 'later-one', target_name: 'Plugin later-one' },
    ]);
  });

  t.test('an unknown plugin', async (t) => {
    t.hasStrict((await setDefault('no-such-plugin')).json, { code: 'PLUGIN_NOT_FOUND' });
  });
});
