import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { startProgram } from '../../support/program.ts';
import { notInstalled } from '../../support/programs.ts';
import { until } from '../../support/until.ts';
import { waitForRecovery } from './support/clients.ts';
import { record } from './support/results.ts';
import { ADMIN, newClientAddress, openUser, SETTINGS, signIn, type TestUser } from './support/user.ts';
import { newPlugin } from './support/writers.ts';

const HOUR = 3600;
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const NO_LIBRARY = notInstalled('libfaketime', 'faketime');
/** Address of all users who sign in. */
const OFFICE = { 'x-forwarded-for': '10.200.0.2' };
/** Seconds of the rate limit without a session. */
const WINDOW = 60;

t.test('a clock that jumps by an hour, and back', { skip: !LIBRARY && NO_LIBRARY }, async (t) => {
  const { url } = await testDatabase(t, { name: 'clock' });
  const dataDir = await testFolder(t);
  const clock = join(dataDir, 'clock');
  const jumpTo = (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
  await jumpTo(0);
  const program = await startProgram(
    {
      ...SETTINGS,
      RATE_LIMIT_FACTOR: '0.1',
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    },
    { t },
  );
  const [user, visitor] = [openUser(program.origin), openUser(program.origin)];
  await signIn(user, ADMIN, OFFICE);
  const before = await publishApproved(user);
  await waitForRecovery(async () => (await listedPlugins(visitor)).includes(before));
  t.ok((await retryAfterOf(program.origin, '10.200.0.1')) <= WINDOW);

  for (const [title, seconds] of [
    ['an hour on', HOUR],
    ['an hour back', 0],
    ['another hour back', -HOUR],
  ] as const) {
    await t.test(title, async (t) => {
      await jumpTo(seconds);
      const since = performance.now();
      await waitForRecovery(
        async () => Math.abs((await timeOf(visitor)) - Date.now() - seconds * 1000) < 60_000,
      );
      t.pass('the program uses the changed time');
      const session = await user.browser.call('/api/auth/session');
      t.hasStrict(session.json().data, { signed_in: true }, 'sessions stay valid');
      const plugin = await publishApproved(user);
      await waitForRecovery(async () => (await listedPlugins(visitor)).includes(plugin));
      const recovery_seconds = (performance.now() - since) / 1000;
      t.pass('visitors see a new plugin within seconds');
      await signIn(openUser(program.origin), ADMIN, OFFICE);
      t.pass('users can sign in');
      t.ok(
        (await retryAfterOf(program.origin, '10.200.0.1')) <= WINDOW,
        'no rate limit lasts longer than its window',
      );
      record({
        fault: `Clock: ${title}`,
        seen: 'nothing; tokens are refreshed once',
        logged: 'nothing',
        lost: 0,
        recovery_seconds,
      });
    });
  }
  t.strictSame(
    program.log.filter(({ level }) => level !== 'info'),
    [],
  );
  t.equal(program.complaints(), '');
});

/** Publishes a plugin and approves it; returns its key. */
async function publishApproved(user: TestUser): Promise<string> {
  const submitted = await user.submit('POST', '/api/cmt/plugin', await newPlugin());
  const { plugin_key } = submitted.json().data;
  const newest = await user.browser.call(`/api/cmt/plugin/edit?plugin_key=${plugin_key}`);
  const { submission_id, version } = newest.json().data;
  const body = JSON.stringify({ plugin_key, submission_id, version, audit_status: 2 });
  const approved = await user.browser.call('/api/cmt/plugin/audit/status', { method: 'POST', body });
  if (approved.status !== 200) throw new Error(`${approved.status} ${approved.text}`);
  return String(plugin_key);
}

/** The program's time, in whole seconds. */
async function timeOf({ browser }: TestUser): Promise<number> {
  const { headers } = await browser.call('/api/cmt/plugin/tag/list', { headers: newClientAddress() });
  return Date.parse(headers.date ?? '');
}

async function listedPlugins({ browser }: TestUser): Promise<unknown[]> {
  const { data } = (await browser.call('/api/cmt/plugin/list', { headers: newClientAddress() })).json();
  const plugins: { plugin_key: unknown }[] = Array.isArray(data.plugin_list) ? data.plugin_list : [];
  return plugins.map(({ plugin_key }) => plugin_key);
}

/** Sends requests from an address until the rate limit refuses one; returns its `Retry-After` in seconds. */
async function retryAfterOf(origin: string, address: string): Promise<number> {
  const { browser } = openUser(origin);
  return until(async () => {
    const headers = { 'x-forwarded-for': address };
    const answer = await browser.call('/api/cmt/plugin/tag/list', { headers });
    return answer.status === 429 && Number(answer.headers['retry-after']);
  });
}
