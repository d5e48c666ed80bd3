import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import t, { type Test } from 'tap';
import { openPool } from '../../../server/database/pool.ts';
import { testFolder } from '../../support/community.ts';
import { silentLog } from '../../support/log.ts';
import { freePort } from '../../support/port.ts';
import { testServer } from '../../support/postgres-server.ts';
import { startProgram } from '../../support/program.ts';
import { GATEWAY_TO_COMMUNITY, SERVICE_KEYS_SETTING } from '../../support/service-keys.ts';

const MAIN = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));
const server = await testServer();
t.comment(`PostgreSQL ${server.version}`);

/** A database with a changed address. */
function address(change: (url: URL) => void = () => undefined): string {
  const url = new URL(server.url);
  change(url);
  return url.href;
}

/** The error message of the program. */
async function complaintOf(t: Test, databaseUrl: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    ROLE: 'identity',
    SERVICE_KEYS: SERVICE_KEYS_SETTING,
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    DATA_DIR: await testFolder(t),
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
  };
  const run = promisify(execFile)(process.execPath, [MAIN], { env });
  return run.then(
    () => 'it started',
    ({ stderr }: { stderr: string }) => stderr.trim(),
  );
}

t.test('the services run on a server with a password, TLS and a language-specific collation', async (t) => {
  const DATA_DIR = await testFolder(t);
  const common = {
    DATA_DIR,
    DATABASE_URL: server.url,
    SEED: 'none',
    IDENTITY_KEYS: randomBytes(32).toString('base64url'),
  };
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  t.teardown(() => client.end());
  // Checked right after their use, because idle connections are closed soon.
  const connections = async (name: string): Promise<unknown[]> => {
    const { rows } = await client.query(
      'select distinct ssl from pg_stat_activity join pg_stat_ssl using (pid) where application_name = $1',
      [name],
    );
    return rows;
  };
  const identity = await startProgram({ ...common, ROLE: 'identity' });
  t.teardown(() => identity.stop());
  t.strictSame(await connections('plugin-square identity'), [{ ssl: true }]);
  const services = { ...common, ROLE: 'community', IDENTITY_URL: identity.origin };
  const instances = await Promise.all([startProgram(services), startProgram(services)]);
  for (const { origin, stop } of instances) {
    t.teardown(stop);
    const answer = await fetch(`${origin}/api/cmt/plugin/list`, {
      headers: { authorization: GATEWAY_TO_COMMUNITY },
    });
    t.hasStrict(await answer.json(), { code: 0, data: { total: 0, plugin_list: [] } });
  }
  t.strictSame(await connections('plugin-square community'), [{ ssl: true }]);
});

t.test('connection limits also apply to an external server', async (t) => {
  const pool = openPool(server.url, { applicationName: 'limits', schema: 'public', max: 2, log: silentLog });
  t.teardown(() => pool.end());
  const { rows } = await pool.query(`select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
    current_setting('random_page_cost') as jump`);
  t.strictSame(rows, [{ statement: '15s', idle: '1min', zone: 'UTC', jump: '1.1' }]);
  const count = `select count(*) from pg_stat_activity where application_name = 'limits'`;
  await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.01)')));
  t.hasStrict((await pool.query(count)).rows, [{ count: 2 }]);
});

t.test('errors of the address are reported without the password', async (t) => {
  const { password } = new URL(server.url);
  const wrong: [name: string, url: string, said: RegExp][] = [
    [
      'password',
      address((url) => {
        url.password = 'wrong-one';
      }),
      /password authentication failed/,
    ],
    [
      'database',
      address((url) => {
        url.pathname = '/nowhere';
      }),
      /database "nowhere" does not exist/,
    ],
    [
      'port',
      address((url) => {
        url.port = '1';
      }),
      /ECONNREFUSED/,
    ],
    [
      'no TLS',
      address((url) => {
        url.search = '';
      }),
      /no pg_hba.conf entry .* no encryption/,
    ],
    [
      'authority',
      address((url) => url.searchParams.delete('sslrootcert')),
      /self-signed certificate|unable to verify/,
    ],
  ];
  const complaints = await Promise.all(wrong.map(([, url]) => complaintOf(t, url)));
  for (const [index, [name, , said]] of wrong.entries()) {
    const complaint = complaints[index] ?? '';
    t.match(complaint, /^.+$/, 'one line');
    t.match(complaint, said, name);
    t.notMatch(complaint, password, 'no secret');
    t.notMatch(complaint, 'wrong-one', 'no secret');
  }
});
