import t from 'tap';
import { testFolder } from '../../support/community.ts';
import { startProgram } from '../../support/program.ts';
import { sqlOfDocs } from '../../support/sql-of-docs.ts';
import { runOperatorProgram } from '../commands/run-program.ts';
import { waitForRecovery } from '../faults/support/clients.ts';
import { startFaultyProxy } from '../faults/support/faulty-proxy.ts';
import { findLostWrites, openLedger } from '../faults/support/ledger.ts';
import { startPostgres } from '../faults/support/postgres.ts';
import { openUser, SETTINGS, signIn, signUp } from '../faults/support/user.ts';
import { startPublishers } from '../faults/support/writers.ts';

t.test('a role that may only read and write rows', async (t) => {
  const server = await startPostgres(t);
  await server.query('create role plugin_square login; create role plugin_square_owner login');
  await server.query('create database plugin_square owner plugin_square_owner');
  await server.query('revoke all on database plugin_square from public');
  await server.query('grant connect on database plugin_square to plugin_square');
  // TCP, so that each role has its address.
  const { port } = await startFaultyProxy(t, { path: server.path });
  const urlOf = (role: string) => `postgres://${role}@127.0.0.1:${port}/plugin_square`;
  const DATA_DIR = await testFolder(t);
  const owner = { DATA_DIR, DATABASE_URL: urlOf('plugin_square_owner') };
  const settings = { ...SETTINGS, DATA_DIR, DATABASE_URL: urlOf('plugin_square'), SEED: 'demo' };

  await t.rejects(
    startProgram(settings, { t }),
    {
      message:
        /^The program ended with 1: The database needs migrations \(identity: 0001-baseline(, 0\d{3}-[a-z-]+)*\) that this role may not make \(permission denied for database plugin_square\)\. Run npm run migrate with the role that owns the database \(docs\/operations\.md, "A role for each task"\)\.\n$/,
    },
    'before the migration: one line',
  );
  t.match(await runOperatorProgram('migrate', owner), {
    code: 0,
    out: /^community: 0001-baseline(, 0\d{3}-[a-z-]+)*\nidentity: 0001-baseline(, 0\d{3}-[a-z-]+)*\n$/,
    err: '',
  });
  t.strictSame(await runOperatorProgram('migrate', owner), {
    code: 0,
    out: 'community: up to date\nidentity: up to date\n',
    err: '',
  });
  await t.rejects(
    startProgram(settings, { t }),
    {
      message:
        /^The program ended with 1: .*\(permission denied for schema identity\)\. Run npm run migrate .*\n$/,
    },
    'before the rights: one line',
  );
  await server.queryAs(
    { user: 'plugin_square_owner', database: 'plugin_square' },
    sqlOfDocs('rights of the run-time role'),
  );

  const product = await startProgram(settings, { t });
  const user = openUser(product.origin);
  await signIn(user);
  await signUp(openUser(product.origin), { email: 'one@example.org', password: 'violet-umbrella-tram-9' });
  const ledger = openLedger();
  const writers = startPublishers(user, ledger, 2);
  await waitForRecovery(async () => ledger.versions.length >= 4);
  await writers.stop();
  t.strictSame(await findLostWrites(user, ledger, 5), []);
  const here = { DATA_DIR, DATABASE_URL: settings.DATABASE_URL };
  t.match(await runOperatorProgram('sweep', here), { code: 0, err: '' });
  t.match(await runOperatorProgram('backup', here, `${DATA_DIR}/backup.tar`), { code: 0, err: '' });
  t.match(await runOperatorProgram('migrate', here), {
    code: 0,
    out: 'community: up to date\nidentity: up to date\n',
  });
  t.strictSame(
    product.log.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level)),
    [],
  );
});
