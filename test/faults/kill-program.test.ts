import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { findHome } from '../../server/database/embedded/home.ts';
import { runningDatabaseUrl } from '../../server/database/embedded/ready.ts';
import { makeDataFolder } from '../support/product.ts';
import { openLedger } from './support/ledger.ts';
import { mortal } from './support/mortal.ts';
import { openPerson, SETTINGS, signIn } from './support/person.ts';
import { killInTurns } from './support/rounds.ts';
import { lostAt, wrongIn } from './support/whole.ts';
import { publishers } from './support/writer.ts';

const LEFT_BEHIND = 'stopped a database server that an earlier run left behind';
const DATABASE_ENDED = 'the database ended and is started again';

t.test('kill -9 of the program and of its database while plugins are published', async (t) => {
  const folder = await makeDataFolder();
  t.teardown(folder.remove);
  const program = await mortal(t, { ...SETTINGS, DATA_DIR: folder.dir });
  const person = openPerson(program.origin);
  await signIn(person);
  const ledger = openLedger();
  const writers = publishers(person, ledger, 2);
  const lost = () => lostAt(person, ledger, 3);

  const rounds = await killInTurns(t, [
    {
      name: 'Program with its own database',
      seen: 'connection refused until it runs again',
      logged: `\`${LEFT_BEHIND}\``,
      ledger,
      kill: program.kill,
      revive: program.start,
      lost,
    },
    {
      name: "The program's own database",
      seen: '503 SERVICE_UNAVAILABLE',
      logged: `\`${DATABASE_ENDED}\``,
      ledger,
      kill: async () => void process.kill(await postmaster(folder.dir), 'SIGKILL'),
      revive: async () => undefined,
      lost,
    },
  ]);
  await writers.stop();
  t.strictSame(await lostAt(person, ledger), [], 'everything that was acknowledged is there');
  const url = (await runningDatabaseUrl(folder.dir)) ?? '';
  t.strictSame(await wrongIn({ url, dataDir: folder.dir }, ledger), [], 'and nothing is half there');
  t.strictSame(ledger.odd, [], 'what was answered meanwhile is clear');
  t.equal(program.complaints(), '');
  const said = (level: string, text: string) =>
    program.log.filter((line) => line.level === level && line.msg === text).length;
  t.equal(said('warn', LEFT_BEHIND), rounds, 'the database of a killed program was stopped first, each time');
  t.equal(said('error', DATABASE_ENDED), rounds);
});

async function postmaster(dataDir: string): Promise<number> {
  const file = join(findHome(dataDir) ?? '', 'cluster', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8'), 10);
}
