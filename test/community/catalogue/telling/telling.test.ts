import t from 'tap';
import { tellInstallers } from '../../../../server/community/catalogue/telling/telling.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin, PUBLISHER_ID } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

const ADMIN = 1;
const FIRST = 1000;
const TEXT = { 'en-US': 'Steals files', 'ja-JP': 'ファイルを盗みます' };

t.test('notices of withdrawals', async (t) => {
  const { bearer, db, url, pool } = await testCommunity(t, { publishers: 'members' });
  const now = () => Date.now();
  const withdraw = async (plugin_key: string, more: Record<string, unknown> = {}) => {
    const body = { plugin_key, is_withdrawn: true, reason: 'malware', text: TEXT, must_stop: true, ...more };
    const headers = await bearer(ADMIN, 2);
    t.equal((await ask(url, 'manager/plugin/withdrawn', { method: 'PUT', headers, body })).status, 200);
  };
  /** Installs of users from `FIRST` on, and one of the publisher. */
  async function addInstalled(key: string, users: number): Promise<number> {
    const pluginId = await addPlugin(db, { key });
    await pool.query(
      `insert into plugin_install (user_id, plugin_id)
        select n, $1::bigint from generate_series($2::int, $2::int + $3::int - 1) n union all select $4::bigint, $1::bigint`,
      [pluginId, FIRST, users, PUBLISHER_ID],
    );
    return pluginId;
  }
  const toldOf = async (key: string): Promise<{ user_id: number; mailed: boolean }[]> => {
    const { rows } = await pool.query(
      `select user_id, mail_key is not null as mailed from notice
        where kind = 'installed_withdrawn' and data ->> 'plugin_key' = $1 order by user_id`,
      [key],
    );
    return rows;
  };

  t.test('everybody who has it is told once, in batches', async (t) => {
    const pluginId = await addInstalled('told-once', 25);
    await pool.query(
      'update plugin_install set uninstalled_at = now() where plugin_id = $1 and user_id = 1003',
      [pluginId],
    );
    await pool.query(`insert into person (user_id, nick_name, deleted_at) values (1004, '', now())`);
    await withdraw('told-once');
    t.equal(await tellInstallers(db, { now, batch: 10 }), 23);
    t.equal(await tellInstallers(db, { now, batch: 10 }), 0);
    await pool.query('delete from person where user_id = 1004');
    const wanted = Array.from({ length: 25 }, (_, n) => FIRST + n).filter((id) => id !== 1003 && id !== 1004);
    t.strictSame(
      await toldOf('told-once'),
      wanted.map((user_id) => ({ user_id, mailed: true })),
    );
  });

  t.test('a reader gets the text in their language', async (t) => {
    const headers = { ...(await bearer(FIRST)), 'accept-language': 'ja-JP' };
    const { notice_list } = dataOf(await ask(url, 'notice/list', { headers }), contract.listNotices.data);
    t.match(notice_list, [
      {
        kind: 'installed_withdrawn',
        data: { plugin_key: 'told-once', withdrawal: 'malware', must_stop: true, reason: TEXT['ja-JP'] },
      },
    ]);
    t.notOk(notice_list[0]?.data.texts);
  });

  t.test('an interrupted run goes on where it was', async (t) => {
    await addInstalled('interrupted', 30);
    await withdraw('interrupted', { must_stop: false });
    const closing = new AbortController();
    const stopping = () => {
      closing.abort();
      return now();
    };
    t.equal(
      await tellInstallers(db, { now: stopping, closing: closing.signal, batch: 10 }),
      9,
      'and not the publisher',
    );
    t.equal(await tellInstallers(db, { now, batch: 10 }), 21);
    const told = await toldOf('interrupted');
    t.equal(new Set(told.map(({ user_id }) => user_id)).size, 30);
    t.equal(told.length, 30);
    t.ok(
      told.every(({ mailed }) => !mailed),
      'who may keep it gets no mail',
    );
  });

  t.test('two instances tell nobody twice', async (t) => {
    await addInstalled('two-instances', 60);
    await withdraw('two-instances');
    await Promise.all([1, 2, 3].map(() => tellInstallers(db, { now, batch: 5 })));
    await tellInstallers(db, { now, batch: 5 });
    const told = await toldOf('two-instances');
    t.equal(told.length, 60);
    t.equal(new Set(told.map(({ user_id }) => user_id)).size, 60);
  });

  t.test('nobody is told of what was restored', async (t) => {
    await addInstalled('restored-soon', 5);
    await withdraw('restored-soon');
    await withdraw('restored-soon', { is_withdrawn: false });
    t.equal(await tellInstallers(db, { now }), 0);
    t.strictSame(await toldOf('restored-soon'), []);
  });

  t.test('a locked plugin holds up nobody', async (t) => {
    const pluginId = await addInstalled('locked-one', 5);
    await withdraw('locked-one');
    const client = await pool.connect();
    await client.query('begin');
    await client.query('select from plugin where id = $1 for no key update', [pluginId]);
    t.equal(await tellInstallers(db, { now }), 5);
    await client.query('rollback');
    client.release();
  });
});
