import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { ask, dataOf } from '../ask.ts';

const DAY = 24 * 60 * 60 * 1000;
const USER_INFO = 'GET /user/userinfo';

/** A user service of another make: it has the calls of the specification alone. */
const foreign = await startStub(t);
foreign.on(USER_INFO, () => stubAnswer(200, { data: { data: { user_id: '7', nick_name: 'Ada' } } }));
const clock = { ahead: 0 };
const community = await testCommunity(t, {
  identityUrl: foreign.url,
  publishRights: 'last-seen',
  now: () => Date.now() + clock.ahead,
});
const make = async (userId: number, role: 0 | 1 | 2) =>
  ask(community.url, 'plugin/token', { headers: await community.bearer(userId, role), body: { name: 'CI' } });
const publish = async (secret: string) => {
  const response = await fetch(`${community.url}/api/cmt/plugin?dry_run=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv' },
    body: 'x',
  });
  const { code }: { code?: unknown } = Object(await response.json());
  return [response.status, code];
};
const LET_IN = [415, 'UNSUPPORTED_MEDIA_TYPE'];
const seenDaysAgo = (days: number) =>
  community.pool.query('update person set seen_at = $1 where user_id = 7', [
    new Date(Date.now() - days * DAY),
  ]);

t.test("a token is valid for a week after its owner's last request", async (t) => {
  const { secret } = dataOf(await make(7, 2), contract.createPublishToken.data);
  t.match(foreign.seen(USER_INFO)[0]?.headers.authorization, /^Bearer eyJ/);
  t.strictSame(await publish(secret), LET_IN);
  await seenDaysAgo(6.9);
  t.strictSame(await publish(secret), LET_IN, 'its own use is no sign of its owner');
  await seenDaysAgo(7.1);
  t.strictSame(await publish(secret), [403, 'OWNER_NOT_SEEN']);
  // What was written a minute ago counts as written.
  clock.ahead = 61_000;
  await ask(community.url, 'plugin/token/list', { headers: await community.bearer(7, 2) });
  t.strictSame(await publish(secret), LET_IN);
  await ask(community.url, 'plugin/token/list', { headers: await community.bearer(7, 0) });
  t.strictSame(await publish(secret), [403, 'FORBIDDEN'], 'by the role they were last seen with');
});

t.test('a token is only created if the user service confirms the user', async (t) => {
  const answers: [unknown, number, string][] = [
    [stubAnswer(401, { code: 401 }), 401, 'TOKEN_INVALID'],
    [stubAnswer(200, { data: { user_id: 8 } }), 401, 'TOKEN_INVALID'],
    [stubAnswer(500, {}), 503, 'SERVICE_UNAVAILABLE'],
    [stubAnswer(200, { data: {} }), 503, 'SERVICE_UNAVAILABLE'],
  ];
  const before = await community.pool.query('select from publish_token');
  for (const [answer, status, code] of answers) {
    foreign.on(USER_INFO, () => answer);
    const refused = await make(7, 2);
    t.equal(refused.status, status);
    t.hasStrict(refused.json, { code });
  }
  const after = await community.pool.query('select from publish_token');
  t.equal(after.rows.length, before.rows.length);
});

t.test('by default a user service without our own calls makes no tokens', async (t) => {
  const strict = await testCommunity(t, { identityUrl: foreign.url });
  foreign.on(USER_INFO, () => stubAnswer(200, { data: { user_id: 7 } }));
  const refused = await ask(strict.url, 'plugin/token', {
    headers: await strict.bearer(7, 2),
    body: { name: 'CI' },
  });
  t.equal(refused.status, 503);
  t.hasStrict(refused.json, { code: 'SERVICE_UNAVAILABLE' });
});
