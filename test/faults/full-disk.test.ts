import { chown, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { serverAccount } from '../../server/database/embedded/account.ts';
import { ADMIN_ROLE } from '../../server/database/embedded/cluster.ts';
import { runningDatabaseUrl } from '../../server/database/embedded/ready.ts';
import { smallDisk } from '../community/publish/small-disk.ts';
import type { Received } from '../support/browser.ts';
import { openLedger } from './support/ledger.ts';
import { mortal } from './support/mortal.ts';
import { openPerson, SETTINGS, signIn } from './support/person.ts';
import { record } from './support/results.ts';
import { healed } from './support/visitors.ts';
import { lostAt, wrongIn } from './support/whole.ts';
import { newPlugin, publishers } from './support/writer.ts';

const KILOBYTES = 160_000;
const TIMEOUT_MS = 60_000;
const NO_DISK = 'this user may mount no small disk (root may)';

const ENDED = 'the database ended and is started again';

const outcomeOf = (answer: Received): string => `${answer.status} ${answer.json().code}`;

const disk = await smallDisk(t, KILOBYTES);

t.test('a data folder on a disk that is full', { skip: disk === undefined && NO_DISK }, async (t) => {
  if (disk === undefined) return;
  // Root's databases lie elsewhere, but for one that another user has begun in the data folder.
  const { uid, gid } = serverAccount();
  await mkdir(join(disk, 'database'), { mode: 0o700 });
  await chown(join(disk, 'database'), uid, gid);
  const program = await mortal(t, { ...SETTINGS, DATA_DIR: disk });
  const person = openPerson(program.origin);
  await signIn(person);
  const ledger = openLedger();
  const writers = publishers(person, ledger, 1);
  await healed(async () => ledger.acknowledged > 5);

  const ballast = join(disk, 'ballast');
  async function fill(folder: string): Promise<void> {
    for (const unit of [1024 * 1024, 4096]) {
      const { bavail, bsize } = await statfs(folder);
      const bytes = Math.floor((bavail * bsize) / unit) * unit;
      await writeFile(ballast, Buffer.alloc(bytes), { flag: 'a' }).catch(() => undefined);
    }
  }
  const publish = async () => outcomeOf(await person.submit('POST', '/api/cmt/plugin', await newPlugin()));
  const list = async () => outcomeOf(await person.browser.call('/api/cmt/plugin/list'));
  async function heal(fault: string, { seen, logged }: { seen: string; logged: string }): Promise<void> {
    await rm(ballast);
    const since = performance.now();
    const recovery_seconds = await healed(async () => ledger.lastAt > since && (await list()) === '200 0');
    const lost = await lostAt(person, ledger);
    t.strictSame(lost, [], `${fault}: nothing that was acknowledged is gone`);
    t.comment(`${fault}: well after ${recovery_seconds} s`);
    record({ fault, seen, logged, lost: lost.length, recovery_seconds });
  }

  await healed(async () => {
    await fill(disk);
    return (await publish()) === '507 STORAGE_FULL';
  }, TIMEOUT_MS);
  t.equal(await list(), '200 0', 'what is there is still shown');
  await heal('Disk of the data folder: full', {
    seen: '507 STORAGE_FULL for what is uploaded; everything is still shown',
    logged: '`request failed` with `STORAGE_FULL` and `ENOSPC` or `DATABASE_FULL`',
  });
  const failed = program.log.find(({ code }) => code === 'STORAGE_FULL');
  t.match(failed, { level: 'error', msg: 'request failed', err: { message: /space left/ } });

  const url = (await runningDatabaseUrl(disk)) ?? '';
  await healed(async () => {
    await fill(disk);
    await useUpJournal(url);
    return program.log.some(({ msg }) => msg === ENDED);
  }, TIMEOUT_MS);
  t.equal(await list(), '503 SERVICE_UNAVAILABLE');
  t.ok(
    program.log.some(({ msg, line }) => msg === 'postgresql' && /PANIC: .*No space left/.test(String(line))),
    'the log says why',
  );
  await heal('Disk of the database: full, so that it ends', {
    seen: '503 SERVICE_UNAVAILABLE, until there is space',
    logged: `\`postgresql\` with \`No space left on device\`, \`${ENDED}\`, \`the database does not start and is tried every second\``,
  });
  await writers.stop();
  t.strictSame(await wrongIn({ url, dataDir: disk }, ledger), [], 'and nothing is half there');
  t.strictSame(ledger.odd, [], 'what was answered meanwhile is clear');
  t.equal(program.complaints(), '');
});

/** Makes the server write on in a new file of its journal, as a busy one does by itself. */
async function useUpJournal(url: string): Promise<void> {
  const address = new URL(url);
  address.username = ADMIN_ROLE;
  const client = new pg.Client({ connectionString: address.href });
  client.on('error', () => undefined);
  await client
    .connect()
    .then(() => client.query('select pg_switch_wal()'))
    .then(() => client.end())
    .catch(() => undefined);
}
