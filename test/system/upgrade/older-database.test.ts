import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { COMMUNITY_SCHEMA } from '../../../server/community/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../../server/identity/schema.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { freePort } from '../../support/port.ts';
import { SERVICE_KEYS_SETTING } from '../../support/service-keys.ts';

/** Runs a program of the server until it ends. */
function run(program: string, settings: Record<string, string>, ...words: string[]) {
  const path = fileURLToPath(new URL(`../../../server/${program}.ts`, import.meta.url));
  const env = { PATH: process.env.PATH, ...settings };
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [path, ...words], { env }, (error, out, err) => {
      resolve({ code: error?.code ?? 0, out, err });
    });
  });
}

for (const [schema, first] of [
  [COMMUNITY_SCHEMA, '0001-people-and-files'],
  [IDENTITY_SCHEMA, '0001-accounts-and-tokens'],
] as const) {
  t.test(`a database of a version before 1.0.0 stops ${schema} with the way out`, async (t) => {
    const { url, pool } = await testDatabase(t, {
      schema,
      migrations: {
        [first]: { up: (db) => db.schema.createTable('old').addColumn('id', 'integer').execute() },
      },
      name: 'before',
    });
    const settings = {
      ROLE: schema,
      SERVICE_KEYS: SERVICE_KEYS_SETTING,
      DATABASE_URL: url,
      DATA_DIR: await testFolder(t),
      LOG_LEVEL: 'silent',
      IDENTITY_URL: 'http://127.0.0.1:9',
      SERVICE_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
    };
    t.strictSame(await run('main', settings), {
      code: 1,
      out: '',
      err:
        `The database was made by a version before 1.0.0 (${schema}), which cannot be upgraded. With that version, make a ` +
        'bundle of its plugins (npm run bundle -- export FILE --all), and import it into a new database with this one ' +
        '(docs/operations.md, "From a version before 1.0.0").\n',
    });
    const { rows } = await pool.query('select name from kysely_migration');
    t.strictSame(rows, [{ name: first }], 'and the database stays as it was');
  });
}
