import { chown, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import t from 'tap';
import { currentAccount, serverAccount } from '../../../packages/embedded-postgres/account.ts';
import { ADMIN_ROLE } from '../../../packages/embedded-postgres/cluster.ts';
import { runningDatabaseUrl } from '../../../packages/embedded-postgres/ready.ts';
import type { Received } from '../../support/browser.ts';
import { startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { waitForRecovery } from './support/clients.ts';
import { findInconsistenciesOfFolder, findLostWrites, openLedger } from './support/ledger.ts';
import { record } from './support/results.ts';
import { smallDisk } from './support/small-disk.ts';
import { openUser, SETTINGS, signIn } from './support/user.ts';
import { newPlugin, startPublishers } from './support/writers.ts';

const KILOBYTES = 160_000;
const TIMEOUT_MS = 60_000;
const NO_DISK = 'a small disk needs root, or sudo without a password';

const ENDED = 'the database ended and is started again';

const outcomeOf = (answer: Received): string => `${answer.status} ${answer.json().code}`;

const disk = await smallDisk(t, KILOBYTES);

t.test('a data folder on a full disk', { skip: disk === undefined && NO_DISK }, async (t) => {
  if (disk === undefined) return;
  // As root the product puts its database outside the data folder, unless the folder has a database of another user.
  const { uid, gid } = process.getuid?.() === 0 ? serverAccount() : currentAccount();
  await mkdir(join(disk, 'database'), { mode: 0o700 });
  await chown(join(disk, 'database'), uid, gid);
  const program = await startProgram({ ...SETTINGS, DATA_DIR: disk }, { t });
  const user = openUser(program.origin);
  await signIn(user);
  const ledger = openLedger();
  const writers = startPublishers(user, ledger, 1);
  await waitForRecovery(async () => ledger.acknowledged > 5);

  const ballast = join(disk, 'ballast');
  async function fill(folder: string): Promise<void> {
    for (const unit of [1024 * 1024, 4096]) {
      const { bavail, bsize } = await statfs(folder);
      const bytes = Math.floor((bavail * bsize) / unit) * unit;
      await writeFile(ballast, Buffer.alloc(bytes), { flag: 'a' }).catch(() => undefined);
    }
  }
  const publish = async () => outcomeOf(await user.submit('POST', '/api/cmt/plugin', await newPlugin()));
  const list = async () => outcomeOf(await user.browser.call('/api/cmt/plugin/list'));
  async function recover(fault: string, { seen, logged }: { seen: string; logged: string }): Promise<void> {
    await rm(ballast);
    const since = performance.now();
    const recovery_seconds = await waitForRecovery(
      async () => ledger.lastAcknowledgedAt > since && (await list()) === '200 0',
    );
    const lost = await findLostWrites(user, ledger);
    t.strictSame(lost, [], `${fault}: no acknowledged write is lost`);
    t.comment(`${fault}: recovered after ${recovery_seconds} s`);
    record({ fault, seen, logged, lost: lost.length, recovery_seconds });
  }

  await waitForRecovery(async () => {
    await fill(disk);
    return (await publish()) === '507 STORAGE_FULL';
  }, TIMEOUT_MS);
  t.equal(await list(), '200 0', 'existing plugins are still shown');
  await recover('Disk of the data folder: full', {
    seen: '507 STORAGE_FULL for uploads; pages still work',
    logged: '`request failed` with `STORAGE_FULL` and `ENOSPC` or `DATABASE_FULL`',
  });
  const failed = program.log.find(({ code }) => code === 'STORAGE_FULL');
  t.match(failed, { level: 'error', msg: 'request failed', err: { message: /space left/ } });

  const url = (await runningDatabaseUrl(disk)) ?? '';
  await waitForRecovery(async () => {
    await fill(disk);
    await switchWalFile(url);
    return program.log.some(({ msg }) => msg === ENDED);
  }, TIMEOUT_MS);
  t.equal(await list(), '503 SERVICE_UNAVAILABLE');
  await t.resolves(
    until(() =>
      program.log.some(
        ({ msg, line }) => msg === 'postgresql' && /PANIC: .*No space left/.test(String(line)),
      ),
    ),
    'the log has the reason',
  );
  await recover('Disk of the database: full, so that it ends', {
    seen: '503 SERVICE_UNAVAILABLE, until there is space',
    logged: `\`postgresql\` with \`No space left on device\`, \`${ENDED}\`, \`the database does not start and is tried every second\``,
  });
  await writers.stop();
  await program.stop();
  t.strictSame(await findInconsistenciesOfFolder(disk, ledger), [], 'no record is incomplete');
  t.strictSame(ledger.unexpected, [], 'no answer is unexpected');
  t.equal(program.complaints(), '');
});

/** Makes the server start a new WAL file, as a busy one does by itself. */
async function switchWalFile(url: string): Promise<void> {
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
