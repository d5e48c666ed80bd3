import t from 'tap';
import { createActivity } from '../../../../server/community/people/activity/activity.ts';
import { deleteInactive } from '../../../../server/community/people/activity/store.ts';
import { issuePublishToken } from '../../../../server/community/people/auth/publish-token.ts';
import { testCommunity } from '../../../support/community.ts';
import { until } from '../../../support/until.ts';
import { ask } from '../../ask.ts';

const DAY = 24 * 60 * 60 * 1000;

t.test('active accounts', async (t) => {
  const clock = { now: Date.UTC(2026, 2, 10, 12) };
  const now = () => clock.now;
  const community = await testCommunity(t, { publishers: 'members', now });
  const { db, pool, url, bearer } = community;
  const known = async () => {
    const { rows } = await pool.query(
      "select user_id::int, to_char(active_on, 'YYYY-MM-DD') as day from active_person order by 1",
    );
    return rows;
  };

  t.test(
    'an account is active on the day of a call, but for what open pages ask by themselves',
    async (t) => {
      await ask(url, 'plugin/user/state', { headers: await bearer(1) });
      await ask(url, 'plugin/list', { headers: await bearer(2) });
      await ask(url, 'notice/count', { headers: await bearer(3) });
      await pool.query("insert into person (user_id, nick_name) values (4, 'Four')");
      const { secret, hash, hint } = issuePublishToken();
      await pool.query(
        `insert into publish_token (user_id, name, secret_hash, hint, owner_grant, expires_at)
        values (4, 'CI', $1, $2, '4:0', $3)`,
        [hash, hint, new Date(now() + DAY)],
      );
      const answer = await fetch(`${url}/api/cmt/plugin`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
      });
      t.equal(answer.status, 415, 'the token is accepted');
      await until(async () => (await known()).length >= 2);
      t.strictSame(await known(), [
        { user_id: 1, day: '2026-03-10' },
        { user_id: 2, day: '2026-03-10' },
      ]);
    },
  );

  t.test('each account is written once a day, and again after a failure', async (t) => {
    const activity = createActivity(now);
    const writes: number[][] = [];
    const track = async () => {
      await activity.write(db);
      writes.push((await known()).map(({ user_id }) => user_id));
    };
    activity.note(7);
    await pool.query('alter table active_person rename to elsewhere');
    await t.rejects(activity.write(db), { code: '42P01' });
    await pool.query('alter table elsewhere rename to active_person');
    await track();
    t.ok(writes[0]?.includes(7));
    await pool.query('delete from active_person where user_id = 7');
    activity.note(7);
    await track();
    t.notOk(writes[1]?.includes(7), 'the second time on a day costs nothing');
    clock.now += DAY;
    activity.note(7);
    await track();
    t.ok(writes[2]?.includes(7));
  });

  t.test('a deleted account stays unknown, and others are forgotten after 30 days', async (t) => {
    await pool.query("insert into person (user_id, nick_name, deleted_at) values (8, '', now())");
    const activity = createActivity(now);
    activity.note(8);
    activity.note(9);
    await activity.write(db);
    t.notOk((await known()).some(({ user_id }) => user_id === 8));
    await deleteInactive(db, new Date(now() + 29 * DAY));
    t.ok((await known()).some(({ user_id }) => user_id === 9));
    await deleteInactive(db, new Date(now() + 30 * DAY));
    t.strictSame(await known(), []);
  });
});
