import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { testFolder } from '../support/community.ts';
import { openEdge } from './support/edge.ts';
import { type Ledger, openLedger } from './support/ledger.ts';
import { type Mortal, mortal } from './support/mortal.ts';
import { openPerson, type Person, SETTINGS, signIn } from './support/person.ts';
import { startPostgres } from './support/postgres.ts';
import { isFull, record } from './support/results.ts';
import { healed } from './support/visitors.ts';
import { lostAt, wrongIn } from './support/whole.ts';
import { publishers } from './support/writer.ts';

const AWAY = '503 SERVICE_UNAVAILABLE';
/** What a program says that cannot work for want of a database: one line for each request, with the reason. */
const FAILED = { level: 'error', code: 'SERVICE_UNAVAILABLE', err: { code: 'DATABASE_UNAVAILABLE' } };
const LOST = '`a database connection was lost`, `request failed` with `DATABASE_UNAVAILABLE`';
/** A server that stands still is given up after twenty seconds. */
const TIMEOUT_MS = 40_000;

type Test = Pick<typeof t, 'strictSame' | 'match' | 'comment'>;
type Fault = {
  name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** What people are answered while it lasts. */
  answer: string;
  /** For the table of results, beside that. */
  notice?: string;
  logged: string;
};

/** A plugin that has passed and been installed, as everybody was told. */
function installed({ plugins }: Ledger): string | undefined {
  return [...plugins].find(([, { is_installed }]) => [...is_installed].join() === 'true')?.[0];
}

/** A program before a database that can be taken away, and people who write all the while. */
function openScene(program: Mortal, person: Person) {
  const ledger = openLedger();
  const writers = publishers(person, ledger, 2);

  /** What a signed-in person is answered, as "status code". */
  async function outcome(): Promise<string> {
    const plugin_key = installed(ledger);
    const body = JSON.stringify({ plugin_key });
    const answer = await person.browser.call('/api/cmt/plugin/user', { method: 'POST', body });
    return `${answer.status} ${answer.json().code}`;
  }

  /** Lasts until its answer was given; then all must be well again within ten seconds. */
  async function suffer(t: Test, fault: Fault): Promise<void> {
    const [lines, before] = [program.log.length, ledger.unanswered];
    await fault.begin();
    await healed(async () => (await outcome()) === fault.answer, TIMEOUT_MS);
    await fault.end();
    const since = performance.now();
    const recovery_seconds = await healed(async () => (await outcome()) === '200 0' && ledger.lastAt > since);
    const lost = await lostAt(person, ledger, 5);
    t.strictSame(lost, [], 'nothing that was acknowledged is gone');
    const said = program.log.slice(lines);
    t.strictSame(
      said.filter(({ level }) => level === 'fatal'),
      [],
    );
    const why = said.find(({ msg }) => msg === 'request failed');
    if (fault.answer === AWAY) t.match(why, FAILED, 'the log says why');
    const refused = `${ledger.unanswered - before} writes refused`;
    t.comment(`${fault.name}: ${refused}, well after ${recovery_seconds} s`);
    const row = { seen: `${fault.answer}${fault.notice ?? ''}; ${refused}`, logged: fault.logged };
    record({ fault: `PostgreSQL: ${fault.name}`, ...row, lost: lost.length, recovery_seconds });
  }
  return { ledger, writers, outcome, suffer };
}

t.test('a PostgreSQL that goes away and comes back', async (t) => {
  const server = await startPostgres(t);
  const way = { path: server.path };
  const edge = await openEdge(t, way);
  const [dataDir, url] = [await testFolder(t), server.urlAt(edge.port)];
  const settings = { ...SETTINGS, DATA_DIR: dataDir, DATABASE_URL: url };

  await edge.set({ kind: 'refuse' });
  await t.rejects(
    mortal(t, settings),
    { message: /^The program ended: The database cannot be used now \(connect ECONNREFUSED .*\)\.\n$/ },
    'away at the start: one line',
  );
  await edge.set({ kind: 'pass' });
  const program = await mortal(t, settings);
  const person = openPerson(program.origin);
  await signIn(person);
  const { ledger, writers, outcome, suffer } = openScene(program, person);
  await healed(async () => installed(ledger) !== undefined);

  await t.test('restarted', (t) =>
    suffer(t, { name: 'restarted', begin: server.stop, end: server.start, answer: AWAY, logged: LOST }),
  );
  await t.test('connections refused', (t) =>
    suffer(t, {
      name: 'connections refused',
      begin: () => edge.set({ kind: 'refuse' }),
      end: () => edge.set({ kind: 'pass' }),
      answer: AWAY,
      logged: `${LOST} (\`ECONNREFUSED\`)`,
    }),
  );
  await t.test('slow', (t) =>
    suffer(t, {
      name: 'each answer 1 s late',
      begin: () => edge.set({ kind: 'slow', by: isFull ? 1000 : 100 }),
      end: () => edge.set({ kind: 'pass' }),
      answer: '200 0',
      notice: ', some seconds late',
      logged: 'nothing; `duration_ms` and `upstream.total_ms` tell',
    }),
  );
  await t.test('paused for a moment', async (t) => {
    await server.pause();
    const waiting = outcome();
    await delay(500);
    await server.resume();
    t.equal(await waiting, '200 0', 'who asked meanwhile is answered');
  });
  if (isFull) {
    await t.test('paused for longer than anybody waits', (t) =>
      suffer(t, {
        name: 'paused (SIGSTOP)',
        begin: server.pause,
        end: server.resume,
        answer: AWAY,
        notice: ' after 10 to 20 s',
        logged: '`request failed` with `DATABASE_UNAVAILABLE` (no answer within 20000 ms)',
      }),
    );
  }
  await t.test('failover to another address', async (t) => {
    const standby = await server.standby();
    await healed(async () => (await outcome()) === '200 0');
    await suffer(t, {
      name: 'failover to another address',
      begin: server.kill,
      async end() {
        await standby.query('select pg_promote()');
        way.path = standby.path;
      },
      answer: AWAY,
      logged: LOST,
    });
  });

  await writers.stop();
  t.strictSame(await lostAt(person, ledger), [], 'everything that was acknowledged is there');
  t.strictSame(await wrongIn({ url, dataDir }, ledger), [], 'and nothing is half there');
  t.strictSame(ledger.odd, [], 'what was answered meanwhile is clear');
  t.equal(program.complaints(), '');
});
