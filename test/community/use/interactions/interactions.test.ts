import t from 'tap';
import { coalesce } from '../../../../server/community/use/interactions/batches.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { addPlugin } from '../../add-plugin.ts';
import { type Answer, ask, dataOf } from '../../ask.ts';

t.test('installs and likes', async (t) => {
  const MANY = 50;
  const community = await testCommunity(t);
  const { db, url } = community;

  type Change = (userId: number, plugin_key: string) => Promise<Answer>;

  const install: Change = async (userId, plugin_key) =>
    ask(url, 'plugin/user', { headers: await community.bearer(userId), body: { plugin_key } });
  const uninstall: Change = async (userId, plugin_key) =>
    ask(url, 'plugin/user', {
      method: 'DELETE',
      headers: await community.bearer(userId),
      body: { plugin_key },
    });
  const praise =
    (value: 1 | -1): Change =>
    async (userId, plugin_key) =>
      ask(url, 'plugin/user/praise', {
        headers: await community.bearer(userId),
        body: { plugin_key, praise: value },
      });
  const like = praise(1);
  const unlike = praise(-1);
  const state = (answer: Answer) => dataOf(answer, contract.installPlugin.data);

  async function counts(plugin_key: string) {
    const detail = dataOf(await ask(url, `plugin?plugin_key=${plugin_key}`), contract.readPlugin.data);
    return [detail.praise_count, detail.install_count];
  }

  t.test('installing and uninstalling are idempotent', async (t) => {
    await addPlugin(db, { key: 'back-and-forth' });
    const installed = { plugin_key: 'back-and-forth', is_installed: true, install_count: 1, is_praise: -1 };
    const gone = { plugin_key: 'back-and-forth', is_installed: false, install_count: 0 };
    t.match(state(await install(7, 'back-and-forth')), installed);
    t.match(state(await install(7, 'back-and-forth')), installed);
    t.match(state(await uninstall(7, 'back-and-forth')), gone);
    t.match(state(await uninstall(7, 'back-and-forth')), gone);
    t.match(state(await install(7, 'back-and-forth')), installed);
  });

  t.test('liking and unliking', async (t) => {
    await addPlugin(db, { key: 'liked-plugin' });
    t.hasStrict(state(await unlike(7, 'liked-plugin')), { is_praise: -1, praise_count: 0 });
    t.hasStrict(state(await like(7, 'liked-plugin')), { is_praise: 1, praise_count: 1 });
    t.hasStrict(state(await like(7, 'liked-plugin')), { is_praise: 1, praise_count: 1 });
    t.hasStrict(state(await unlike(7, 'liked-plugin')), { is_praise: -1, praise_count: 0 });
  });

  t.test('a locked counter delays the likes of its plugin alone', async (t) => {
    const locked = await addPlugin(db, { key: 'locked-plugin' });
    await addPlugin(db, { key: 'free-plugin' });
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (trx) => {
      const counter = trx.selectFrom('plugin_counter').select('plugin_id').where('plugin_id', '=', locked);
      await counter.forUpdate().execute();
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    /** Statements that wait for a lock longer than a shared batch does. */
    const waits = async (): Promise<{ query_start: Date }[]> => {
      const { rows } = await community.pool.query(
        `select query_start from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '0.2 s' order by query_start`,
      );
      return rows;
    };
    const waiting = like(7, 'locked-plugin');
    await until(async () => (await waits()).length > 0);
    const [before] = await waits();
    t.hasStrict(state(await like(8, 'free-plugin')), { praise_count: 1 });
    // On a busy machine others may have begun to wait.
    const [after] = await waits();
    t.strictSame(after, before, 'the other still waits');
    held.resolve();
    await holding;
    t.hasStrict(state(await waiting), { praise_count: 1 });
  });

  t.test('an uninstalled plugin keeps its row', async (t) => {
    await addPlugin(db, { key: 'remembered-one' });
    await install(7, 'remembered-one');
    await uninstall(7, 'remembered-one');
    const { rows } = await community.pool.query(
      `select uninstalled_at from plugin_install join plugin on plugin.id = plugin_id
      where plugin_key = 'remembered-one' and user_id = 7`,
    );
    t.match(rows, [{ uninstalled_at: Date }]);
  });

  t.test('a withdrawn plugin can be uninstalled and unliked, but not installed or liked', async (t) => {
    await addPlugin(db, { key: 'taken-back' });
    await install(7, 'taken-back');
    await like(7, 'taken-back');
    await db.updateTable('plugin').set({ is_hidden: true }).where('plugin_key', '=', 'taken-back').execute();
    t.hasStrict(state(await uninstall(7, 'taken-back')), { is_installed: false });
    t.hasStrict(state(await unlike(7, 'taken-back')), { is_praise: -1 });
    t.equal((await uninstall(8, 'taken-back')).status, 404);
    t.equal((await install(7, 'taken-back')).status, 404);
    t.equal((await like(7, 'taken-back')).status, 404);
  });

  const RACES: [title: string, run: (key: string) => Promise<Answer>[], expected: [number, number]][] = [
    ['one person likes at once', (key) => times((_) => like(7, key)), [1, 0]],
    ['one person installs at once', (key) => times((_) => install(7, key)), [0, 1]],
    ['many like at once', (key) => times((n) => like(n, key)), [MANY, 0]],
    [
      'many install and like at once',
      (key) => times((n) => (n % 2 ? like(n, key) : install(n, key))),
      [25, 25],
    ],
  ];

  function times(call: (n: number) => Promise<Answer>): Promise<Answer>[] {
    return Array.from({ length: MANY }, (_, n) => call(n + 1));
  }

  for (const [index, [title, run, expected]] of RACES.entries()) {
    t.test(`${MANY} times: ${title}`, async (t) => {
      const key = `race-number-${index}`;
      await addPlugin(db, { key });
      for (const answer of await Promise.all(run(key))) t.equal(answer.status, 200);
      t.strictSame(await counts(key), expected);
    });
  }

  t.test('counters match the rows after likes and unlikes in any order', async (t) => {
    await addPlugin(db, { key: 'mixed-race' });
    await Promise.all(
      times((n) => (n % 3 === 0 ? unlike(n % 10, 'mixed-race') : like((n % 10) + 1, 'mixed-race'))),
    );
    await Promise.all(
      times((n) => (n % 2 === 0 ? uninstall(n % 10, 'mixed-race') : install(n % 10, 'mixed-race'))).slice(1),
    );
    const { rows } = await community.pool.query(
      `select (select count(*) from plugin_like where plugin_id = p.id) as likes,
        (select count(*) from plugin_install where plugin_id = p.id and uninstalled_at is null) as installs
      from plugin p where plugin_key = 'mixed-race'`,
    );
    t.strictSame(await counts('mixed-race'), [rows[0].likes, rows[0].installs]);
  });
});

t.test('batches', async (t) => {
  type Turn = {
    items: readonly string[];
    isShared: boolean;
    done: (results?: string[]) => void;
    fail: (error: Error) => void;
  };

  function gathering(most = 10) {
    const turns: Turn[] = [];
    const ask = coalesce(
      (items: readonly string[], isShared) =>
        new Promise<string[]>((resolve, reject) => {
          const answers = items.map((item) => `${item}!`);
          turns.push({ items, isShared, done: (results = answers) => resolve(results), fail: reject });
        }),
      {
        queueOf: (item) => item.split('/')[1] ?? '',
        keyOf: (item) => item.replace(/\/.*$/, ''),
        sizeMax: most,
      },
    );
    return { ask, turns };
  }

  const soon = () => new Promise((resolve) => setImmediate(resolve));

  t.test('a single call does not wait; later calls form a batch', async (t) => {
    const { ask, turns } = gathering();
    const first = ask('a');
    t.strictSame(turns[0]?.items, ['a']);
    const others = [ask('b'), ask('c')];
    await soon();
    t.equal(turns.length, 1);
    turns[0]?.done();
    t.equal(await first, 'a!');
    await soon();
    t.strictSame(turns[1]?.items, ['b', 'c']);
    turns[1]?.done();
    t.strictSame(await Promise.all(others), ['b!', 'c!']);
  });

  t.test('a batch has each key once, in order', async (t) => {
    const { ask, turns } = gathering();
    const all = [ask('x'), ask('a'), ask('a'), ask('b')];
    turns[0]?.done();
    await soon();
    t.strictSame(turns[1]?.items, ['a', 'b']);
    turns[1]?.done();
    await soon();
    t.strictSame(turns[2]?.items, ['a']);
    turns[2]?.done();
    t.strictSame(await Promise.all(all), ['x!', 'a!', 'a!', 'b!']);
  });

  t.test('batches have a maximum size', async (t) => {
    const { ask, turns } = gathering(2);
    const all = ['x', 'a', 'b', 'c'].map(ask);
    for (let turn = 0; turn < 3; turn += 1) {
      turns[turn]?.done();
      await soon();
    }
    t.strictSame(
      turns.map(({ items }) => items),
      [['x'], ['a', 'b'], ['c']],
    );
    t.strictSame(await Promise.all(all), ['x!', 'a!', 'b!', 'c!']);
  });

  t.test('an error affects its own item only', async (t) => {
    const { ask, turns } = gathering();
    const first = ask('a/one');
    const second = ask('b/two');
    turns[0]?.fail(new Error('lost'));
    await soon();
    t.strictSame(
      turns.slice(1).map(({ items, isShared }) => [items, isShared]),
      [
        [['a/one'], false],
        [['b/two'], true],
      ],
    );
    turns[1]?.fail(new Error('lost for good'));
    await t.rejects(first, { message: 'lost for good' });
    turns[2]?.done();
    t.equal(await second, 'b/two!');
  });

  t.test('items of a shared batch that fails go on in their queues, with those that follow', async (t) => {
    const { ask, turns } = gathering();
    const all = ['x/one', 'a/one', 'b/two'].map(ask);
    turns[0]?.done();
    await soon();
    turns[1]?.fail(new Error('locked'));
    await soon();
    all.push(ask('c/one'), ask('d/three'));
    t.strictSame(
      turns.slice(1).map(({ items, isShared }) => [items, isShared]),
      [
        [['a/one', 'b/two'], true],
        [['a/one'], false],
        [['b/two'], false],
        [['d/three'], true],
      ],
    );
    turns[2]?.done();
    await soon();
    t.strictSame([turns[5]?.items, turns[5]?.isShared], [['c/one'], false]);
    for (const { done } of turns.slice(3)) done();
    t.strictSame(await Promise.all(all), ['x/one!', 'a/one!', 'b/two!', 'c/one!', 'd/three!']);
    const later = ask('a/one');
    t.equal(turns[6]?.isShared, true, 'a queue without items ends');
    turns[6]?.done();
    t.equal(await later, 'a/one!');
  });

  t.test('a conflict of the database is retried', async (t) => {
    for (const code of ['40P01', '40001']) {
      const { ask, turns } = gathering();
      const asked = ask('a');
      for (let turn = 0; turn < 3; turn += 1) {
        turns[turn]?.fail(Object.assign(new Error('conflict'), { code }));
        await soon();
      }
      turns[3]?.done();
      t.equal(await asked, 'a!', code);
    }
  });

  t.test('a conflict that lasts is an error in the end', async (t) => {
    const { ask, turns } = gathering();
    const refusal = t.rejects(ask('a'), { message: 'conflict' });
    for (let turn = 0; turn < 8; turn += 1) {
      turns[turn]?.fail(Object.assign(new Error('conflict'), { code: '40P01' }));
      await soon();
    }
    await refusal;
    t.equal(turns.length, 8, 'four times in the shared batch, four times in its queue');
  });

  t.test('of a batch of a queue that fails each item fails alone', async (t) => {
    const { ask, turns } = gathering();
    const [first, second, good, bad] = [ask('x'), ask('a'), ask('b'), ask('c')];
    turns[0]?.done();
    await soon();
    turns[1]?.fail(new Error('locked'));
    await soon();
    turns[2]?.done();
    await soon();
    turns[3]?.fail(new Error('lost'));
    await soon();
    turns[4]?.done();
    await soon();
    const refusal = t.rejects(bad, { message: 'lost' });
    turns[5]?.fail(new Error('lost'));
    t.strictSame(
      turns.slice(1).map(({ items }) => items),
      [['a', 'b', 'c'], ['a'], ['b', 'c'], ['b'], ['c']],
    );
    t.strictSame(await Promise.all([first, second, good]), ['x!', 'a!', 'b!']);
    await refusal;
  });

  t.test('an item without a result fails', async (t) => {
    const { ask, turns } = gathering();
    const asked = ask('a');
    turns[0]?.done([]);
    await t.rejects(asked, /no result for an item/);
  });
});
