import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testFolder } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';
import { debianProgram } from '../support/debian-program.ts';
import { mortal } from './support/mortal.ts';
import { ADMIN, newAddress, openPerson, type Person, SETTINGS, signIn } from './support/person.ts';
import { record } from './support/results.ts';
import { healed } from './support/visitors.ts';
import { newPlugin } from './support/writer.ts';

const HOUR = 3600;
const LIBRARY =
  debianProgram(['faketime'], 'faketime') && globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];
const NO_LIBRARY = 'no libfaketime is installed (Debian, Ubuntu: apt-get install faketime)';
/** Where all those sit who sign in. */
const OFFICE = { 'x-forwarded-for': '10.200.0.2' };
/** Seconds of the limit to what comes without a session. */
const WINDOW = 60;

t.test('a clock that jumps by an hour, and back', { skip: !LIBRARY && NO_LIBRARY }, async (t) => {
  const { url } = await testDatabase(t, { name: 'clock' });
  const dataDir = await testFolder(t);
  const clock = join(dataDir, 'clock');
  const jumpTo = (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
  await jumpTo(0);
  const program = await mortal(t, {
    ...SETTINGS,
    RATE_LIMIT_FACTOR: '0.1',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
  });
  const [person, visitor] = [openPerson(program.origin), openPerson(program.origin)];
  await signIn(person, ADMIN, OFFICE);
  const before = await bringOut(person);
  await healed(async () => (await shown(visitor)).includes(before));
  t.ok((await exceeded(program.origin, '10.200.0.1')) <= WINDOW);

  for (const [title, seconds] of [
    ['an hour on', HOUR],
    ['an hour back', 0],
    ['another hour back', -HOUR],
  ] as const) {
    await t.test(title, async (t) => {
      await jumpTo(seconds);
      const since = performance.now();
      await healed(async () => Math.abs((await timeOf(visitor)) - Date.now() - seconds * 1000) < 60_000);
      t.pass('the program has the other time');
      const session = await person.browser.call('/api/auth/session');
      t.hasStrict(session.json().data, { signed_in: true }, 'whoever is signed in stays so');
      const plugin = await bringOut(person);
      await healed(async () => (await shown(visitor)).includes(plugin));
      const recovery_seconds = (performance.now() - since) / 1000;
      t.pass('visitors see within seconds what has come');
      await signIn(openPerson(program.origin), ADMIN, OFFICE);
      t.pass('people can sign in');
      t.ok((await exceeded(program.origin, '10.200.0.1')) <= WINDOW, 'no limit lasts longer than it should');
      record({
        fault: `Clock: ${title}`,
        seen: 'nothing; one refresh of tokens',
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

/** Publishes a plugin and has it pass; answers its key. */
async function bringOut(person: Person): Promise<string> {
  const taken = await person.submit('POST', '/api/cmt/plugin', await newPlugin());
  const { plugin_key } = taken.json().data;
  const body = JSON.stringify({ plugin_key, audit_status: 2 });
  const passed = await person.browser.call('/api/cmt/plugin/audit/status', { method: 'POST', body });
  if (passed.status !== 200) throw new Error(`${passed.status} ${passed.text}`);
  return String(plugin_key);
}

/** What time it is at the program, by the second. */
async function timeOf({ browser }: Person): Promise<number> {
  const { headers } = await browser.call('/api/cmt/plugin/tag/list', { headers: newAddress() });
  return Date.parse(headers.date ?? '');
}

/** The plugins that a visitor sees. */
async function shown({ browser }: Person): Promise<unknown[]> {
  const { data } = (await browser.call('/api/cmt/plugin/list', { headers: newAddress() })).json();
  const plugins: { plugin_key: unknown }[] = Array.isArray(data.plugin_list) ? data.plugin_list : [];
  return plugins.map(({ plugin_key }) => plugin_key);
}

/** Asks from an address until it has asked too often; answers the seconds it is told to wait. */
async function exceeded(origin: string, address: string): Promise<number> {
  const { browser } = openPerson(origin);
  for (;;) {
    const answer = await browser.call('/api/cmt/plugin/tag/list', {
      headers: { 'x-forwarded-for': address },
    });
    if (answer.status === 429) return Number(answer.headers['retry-after']);
  }
}
