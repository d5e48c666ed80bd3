import t from 'tap';
import { contract } from '../../../shared/contract.ts';
import { testCommunity } from '../../support/community.ts';
import { ask, dataOf } from '../ask.ts';
import { formOf, jsonFile, packageText, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

const MINUTE = 60_000;
const LIMITS = [
  { max: 3, window: MINUTE },
  { max: 5, window: 60 * MINUTE },
];
/** Ten seconds past a whole minute. */
const START = Math.floor(Date.now() / MINUTE) * MINUTE + 10_000;
const clockOf = (moment: number) => new Date(moment).toUTCString().slice(17, 22);
let time = START;
const community = await testCommunity(t, {
  publishers: 'members',
  publishing: { limits: LIMITS, quotaBytes: 100_000 },
  now: () => time,
});
const { send, sent, storedState } = publishing(community);
let serial = 0;
const another = (size = 10) => {
  serial += 1;
  return pluginForm({ code: jsonFile(packageText({}, `console.log('${serial}${'x'.repeat(size)}');\n`)) });
};
const rules = async (userId: number, role: 0 | 1 | 2 = 0) =>
  dataOf(
    await ask(community.url, 'plugin/publish-rules', { headers: await community.bearer(userId, role) }),
    contract.readPublishRules.data,
  );

t.beforeEach(() => {
  time = START;
});

t.test('the fourth submission within a minute is refused and stores nothing', async (t) => {
  for (const seconds of [0, 10, 20]) {
    time = START + seconds * 1000;
    t.equal((await send(another(), { userId: 11 })).status, 200);
  }
  time = START + 30_000;
  const before = await storedState();
  const refused = await send(another(), { userId: 11 });
  const said = {
    code: 'PUBLISH_LIMIT_REACHED',
    message: `Publishing limit reached. Try again at ${clockOf(START + 2 * MINUTE)} UTC.`,
  };
  t.hasStrict(refused, { status: 429, json: said });
  t.equal(refused.headers.get('retry-after'), '30');
  t.strictSame(await storedState(), before);
  const dry = await send(another(), { userId: 11, query: '?dry_run=1' });
  t.hasStrict(dry, { status: 429, json: said }, 'a dry run returns the same');
  t.equal(dry.headers.get('retry-after'), '30');
  t.equal((await send(another(), { userId: 12 })).status, 200, 'others are not concerned');
  time = START + 60_001;
  t.equal((await send(another(), { userId: 11 })).status, 200);
  t.hasStrict((await rules(11)).limits, [
    { max: 3, window_seconds: 60, used: 3 },
    { max: 5, window_seconds: 3600, used: 4 },
  ]);
});

t.test('dry runs and refused attempts are limited to ten for each allowed submission', async (t) => {
  const tried = async (userId: number) => (await send(another(), { userId, query: '?dry_run=1' })).status;
  for (let count = 0; count < 15; count += 1) t.equal(await tried(17), 200);
  const broken = () => pluginForm({ code: jsonFile('{') });
  for (let count = 0; count < 15; count += 1) t.equal((await send(broken(), { userId: 17 })).status, 422);
  time = START + 20_000;
  const refused = await send(another(), { userId: 17, query: '?dry_run=1' });
  t.hasStrict(refused, { status: 429, json: { code: 'PUBLISH_LIMIT_REACHED' } });
  t.equal(refused.headers.get('retry-after'), '40');
  t.equal((await send(broken(), { userId: 17 })).status, 429, 'it is not even looked at');
  t.equal(await tried(18), 200, 'others are not concerned');
  t.equal((await send(another(), { userId: 17, role: 2, query: '?dry_run=1' })).status, 200);
  time = START + 60_001;
  t.equal(await tried(17), 200);
  time = START - 60_000;
  t.equal(await tried(17), 200, 'attempts in the future, after the clock was set back, are not counted');
});

t.test('the longer limit applies too, and counts changes as well', async (t) => {
  const { plugin_key } = await sent(another(), { userId: 13 });
  for (let minute = 1; minute < 5; minute += 1) {
    time = START + minute * MINUTE;
    const change = formOf({ plugin_key, contact: `${minute}@example.com` });
    t.equal((await send(change, { method: 'PUT', userId: 13 })).status, 200);
  }
  time = START + 10 * MINUTE;
  const refused = await send(another(), { userId: 13 });
  t.equal(refused.status, 429);
  t.equal(refused.headers.get('retry-after'), String(50 * 60));
  time = START + 10 * MINUTE;
  const repeat = await send(formOf({ plugin_key, contact: '4@example.com' }), { method: 'PUT', userId: 13 });
  t.equal(repeat.status, 200, 'a repeat without changes is not counted');
});

t.test('of twenty simultaneous submissions three are accepted', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(another(), { userId: 14 })));
  const statuses = answers.map(({ status }) => status).sort();
  t.strictSame(statuses, [...Array(3).fill(200), ...Array(17).fill(429)]);
  t.equal((await rules(14)).limits[0]?.used, 3);
});

t.test('administrators have no limit', async (t) => {
  for (let count = 0; count < 8; count += 1) {
    t.equal((await send(another(), { userId: 1, role: count % 2 ? 1 : 2 })).status, 200);
  }
  t.hasStrict(await rules(1, 1), { is_limited: false, may_mark: true });
});

t.test('a submission beyond the quota is refused, and nothing is stored', async (t) => {
  t.equal((await send(another(60_000), { userId: 15 })).status, 200);
  const { used_bytes, quota_bytes, is_limited, may_mark } = await rules(15);
  t.ok(used_bytes > 60_000 && used_bytes < 61_000);
  t.equal(quota_bytes, 100_000);
  t.strictSame([is_limited, may_mark], [true, false]);
  const before = await storedState();
  t.hasStrict(await send(another(60_000), { userId: 15 }), { status: 413, json: { code: 'QUOTA_EXCEEDED' } });
  t.hasStrict(await send(another(60_000), { userId: 15, query: '?dry_run=1' }), { status: 413 });
  t.strictSame(await storedState(), before);
  t.equal((await send(another(30_000), { userId: 15 })).status, 200);
});

t.test('a submission by an administrator counts for the publisher', async (t) => {
  const { plugin_key } = await sent(another(), { userId: 16 });
  const before = (await rules(16)).used_bytes;
  const newer = pluginForm({
    plugin_key,
    version: '1.1.0',
    code: jsonFile(packageText({}, 'x'.repeat(5000))),
  });
  await sent(newer, { userId: 1, role: 1 });
  t.ok((await rules(16)).used_bytes > before + 5000);
  const huge = pluginForm({
    plugin_key,
    version: '1.2.0',
    code: jsonFile(packageText({}, 'y'.repeat(99_000))),
  });
  t.equal((await send(huge, { userId: 1, role: 1 })).status, 413);
});
