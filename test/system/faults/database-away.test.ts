import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { testFolder } from '../../support/community.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { waitForRecovery } from './support/clients.ts';
import { startFaultyProxy } from './support/faulty-proxy.ts';
import { findInconsistencies, findLostWrites, type Ledger, openLedger } from './support/ledger.ts';
import { startPostgres } from './support/postgres.ts';
import { isFull, record } from './support/results.ts';
import { openUser, SETTINGS, signIn, type TestUser } from './support/user.ts';
import { startPublishers } from './support/writers.ts';

const UNAVAILABLE = '503 SERVICE_UNAVAILABLE';
/** Log line of each request that fails without a database, with the reason. */
const FAILED = { level: 'error', code: 'SERVICE_UNAVAILABLE', err: { code: 'DATABASE_UNAVAILABLE' } };
const LOST = '`a database connection was lost`, `request failed` with `DATABASE_UNAVAILABLE`';
/** Milliseconds: the product gives up a paused server after twenty seconds. */
const TIMEOUT_MS = 40_000;

type Test = Pick<typeof t, 'strictSame' | 'match' | 'comment'>;
type Fault = {
  name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Answer to users during the fault, as "status code". */
  answer: string;
  /** What visitors saw, if not just the answer. */
  seen?: string;
  logged: string;
};

/** A plugin whose approval and installation were acknowledged. */
function findInstalled({ plugins }: Ledger): string | undefined {
  return [...plugins].find(([, { is_installed }]) => [...is_installed].join() === 'true')?.[0];
}

/** Publishers that write all the time, and faults of the database meanwhile. */
function startWriting(program: Program, user: TestUser) {
  const ledger = openLedger();
  const writers = startPublishers(user, ledger, 2);

  /** Answer to a signed-in user, as "status code". */
  async function outcome(): Promise<string> {
    const plugin_key = findInstalled(ledger);
    const body = JSON.stringify({ plugin_key });
    const answer = await user.browser.call('/api/cmt/plugin/user', { method: 'POST', body });
    return `${answer.status} ${answer.json().code}`;
  }

  /** Keeps the fault until its answer was seen; then everything must work again within the recovery limit. */
  async function runFault(t: Test, fault: Fault): Promise<void> {
    const [lines, before] = [program.log.length, ledger.unanswered];
    await fault.begin();
    await waitForRecovery(async () => (await outcome()) === fault.answer, TIMEOUT_MS);
    await fault.end();
    const since = performance.now();
    const recovery_seconds = await waitForRecovery(
      async () => (await outcome()) === '200 0' && ledger.lastAcknowledgedAt > since,
    );
    const lost = await findLostWrites(user, ledger, 5);
    t.strictSame(lost, [], 'no acknowledged write is lost');
    const logged = () => program.log.slice(lines);
    if (fault.answer === UNAVAILABLE) {
      const failure = await until(() => logged().find(({ msg }) => msg === 'request failed'));
      t.match(failure, FAILED, 'the log has the reason');
    }
    t.strictSame(
      logged().filter(({ level }) => level === 'fatal'),
      [],
    );
    const refused = `writes refused: ${ledger.unanswered - before}`;
    t.comment(`${fault.name}: ${refused}, recovered after ${recovery_seconds} s`);
    const row = { seen: `${fault.seen ?? fault.answer}; ${refused}`, logged: fault.logged };
    record({ fault: `PostgreSQL: ${fault.name}`, ...row, lost: lost.length, recovery_seconds });
  }
  return { ledger, writers, outcome, runFault };
}

t.test('PostgreSQL fails and comes back', async (t) => {
  const server = await startPostgres(t);
  const target = { path: server.path };
  const proxy = await startFaultyProxy(t, target);
  const [dataDir, url] = [await testFolder(t), server.urlAt(proxy.port)];
  const settings = { ...SETTINGS, DATA_DIR: dataDir, DATABASE_URL: url };

  await proxy.set({ kind: 'refuse' });
  await t.rejects(
    startProgram(settings, { t }),
    {
      message: /^The program ended with 1: The database cannot be used now \(connect ECONNREFUSED .*\)\.\n$/,
    },
    'unavailable at start: one line',
  );
  await proxy.set({ kind: 'pass' });
  const program = await startProgram(settings, { t });
  const user = openUser(program.origin);
  await signIn(user);
  const { ledger, writers, outcome, runFault } = startWriting(program, user);
  await waitForRecovery(async () => findInstalled(ledger) !== undefined);

  await t.test('restarted', (t) =>
    runFault(t, {
      name: 'restarted',
      begin: server.stop,
      end: server.start,
      answer: UNAVAILABLE,
      logged: LOST,
    }),
  );
  await t.test('connections refused', (t) =>
    runFault(t, {
      name: 'connections refused',
      begin: () => proxy.set({ kind: 'refuse' }),
      end: () => proxy.set({ kind: 'pass' }),
      answer: UNAVAILABLE,
      logged: `${LOST} (\`ECONNREFUSED\`)`,
    }),
  );
  await t.test('slow', (t) =>
    runFault(t, {
      name: 'each response 1 s late',
      begin: () => proxy.set({ kind: 'slow', by: isFull ? 1000 : 100 }),
      end: () => proxy.set({ kind: 'pass' }),
      answer: '200 0',
      seen: 'responses are some seconds late',
      logged: 'nothing; `duration_ms` and `upstream.total_ms` are higher',
    }),
  );
  await t.test('paused for half a second', async (t) => {
    await server.pause();
    const waiting = outcome();
    // The length of the pause, not a wait for something.
    await delay(500);
    await server.resume();
    t.equal(await waiting, '200 0', 'a request during the pause is answered');
  });
  if (isFull) {
    await t.test('paused for longer than the timeout', (t) =>
      runFault(t, {
        name: 'paused (SIGSTOP)',
        begin: server.pause,
        end: server.resume,
        answer: UNAVAILABLE,
        seen: `${UNAVAILABLE} after 10 to 20 s`,
        logged: '`request failed` with `DATABASE_UNAVAILABLE` (timed out after 20000 ms)',
      }),
    );
  }
  await t.test('failover to another address', async (t) => {
    const standby = await server.standby();
    await waitForRecovery(async () => (await outcome()) === '200 0');
    await runFault(t, {
      name: 'failover to another address',
      begin: server.kill,
      async end() {
        await standby.query('select pg_promote()');
        target.path = standby.path;
      },
      answer: UNAVAILABLE,
      logged: LOST,
    });
  });

  await writers.stop();
  t.strictSame(await findLostWrites(user, ledger), [], 'no acknowledged write is lost');
  await program.stop();
  t.strictSame(await findInconsistencies({ url, dataDir }, ledger), [], 'no record is incomplete');
  t.strictSame(ledger.unexpected, [], 'no answer is unexpected');
  t.equal(program.complaints(), '');
});
