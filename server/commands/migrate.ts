/** `npm run migrate`: migrates the database with a role that owns it, before the services start with one that does not. */
import { startError } from '../database/errors.ts';
import { migrate } from '../database/migrate.ts';
import { runs } from '../roles/app-context.ts';
import { SCHEMAS } from './backup/store.ts';
import { withDatabase, withQueries } from './database.ts';
import { type Program, runProgram } from './program.ts';

async function migrateAll({ config, log, say }: Program, url: string): Promise<void> {
  for (const { service, schema, migrations } of SCHEMAS.filter(({ service }) => runs(config, service))) {
    const purpose = { name: 'migrate', schema, log };
    const ran = await withQueries(url, purpose, (db) => migrate({ db, schema, migrations, log }));
    say(`${service}: ${ran.length === 0 ? 'up to date' : ran.join(', ')}`);
  }
}

await runProgram(async (program, args) => {
  const { config, log } = program;
  if (args.length > 0) throw startError('Usage: npm run migrate');
  if (!SCHEMAS.some(({ service }) => runs(config, service)))
    throw startError('The gateway has no database: run npm run migrate with the settings of a service.');
  await withDatabase(config, { log, mayCreate: true }, (url) => migrateAll(program, url));
});
