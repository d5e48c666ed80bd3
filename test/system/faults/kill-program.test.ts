import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { findHome } from '../../../packages/embedded-postgres/home.ts';
import { makeDataFolder } from '../../support/product.ts';
import { startProgram } from '../../support/program.ts';
import { killRepeatedly } from './support/kill-rounds.ts';
import { findInconsistenciesOfFolder, findLostWrites, openLedger } from './support/ledger.ts';
import { openUser, SETTINGS, signIn } from './support/user.ts';
import { startPublishers } from './support/writers.ts';

const LEFT_BEHIND = 'stopped a database server that an earlier run left behind';
const DATABASE_ENDED = 'the database ended and is started again';

t.test('kill -9 of the program and of its database while plugins are published', async (t) => {
  const folder = await makeDataFolder();
  t.teardown(folder.remove);
  const program = await startProgram({ ...SETTINGS, DATA_DIR: folder.dir }, { t });
  const user = openUser(program.origin);
  await signIn(user);
  const ledger = openLedger();
  const writers = startPublishers(user, ledger, 2);
  const lost = () => findLostWrites(user, ledger, 3);

  const rounds = await killRepeatedly(t, [
    {
      name: 'Program with its own database',
      seen: 'connection refused until it runs again',
      logged: `\`${LEFT_BEHIND}\``,
      ledger,
      kill: program.kill,
      restart: program.start,
      lost,
    },
    {
      name: "The program's own database",
      seen: '503 SERVICE_UNAVAILABLE',
      logged: `\`${DATABASE_ENDED}\``,
      ledger,
      kill: async () => void process.kill(await postmaster(folder.dir), 'SIGKILL'),
      restart: async () => undefined,
      lost,
    },
  ]);
  await writers.stop();
  t.strictSame(await findLostWrites(user, ledger), [], 'no acknowledged write is lost');
  await program.stop();
  t.strictSame(await findInconsistenciesOfFolder(folder.dir, ledger), [], 'no record is incomplete');
  t.strictSame(ledger.unexpected, [], 'no answer is unexpected');
  t.equal(program.complaints(), '');
  const countLines = (level: string, text: string) =>
    program.log.filter((line) => line.level === level && line.msg === text).length;
  t.equal(
    countLines('warn', LEFT_BEHIND),
    rounds,
    'each start first stopped the database of the killed program',
  );
  t.equal(countLines('error', DATABASE_ENDED), rounds);
});

async function postmaster(dataDir: string): Promise<number> {
  const file = join(findHome(dataDir) ?? '', 'cluster', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}
