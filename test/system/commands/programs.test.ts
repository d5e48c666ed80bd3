import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { tableHashes } from '../../commands/table-hashes.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { runOperatorProgram as run } from './run-program.ts';

t.test('backup, restore and bundle, as an operator calls them', async (t) => {
  const given = { schema: COMMUNITY_SCHEMA, migrations: communityMigrations };
  const { url, db } = await testDatabase<CommunityTables>(t, { ...given, name: 'programs' });
  const empty = await testDatabase(t, { name: 'programs_restored' });
  await addPlugin(db, { key: 'colour-steps', name: { 'en-US': 'Colour steps' } });
  const folder = await testFolder(t);
  const here = { DATABASE_URL: url, DATA_DIR: join(folder, 'here') };
  const there = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'there') };
  const file = join(folder, 'backup.tar');

  t.match(await run('backup', here, file), {
    code: 0,
    out: /\d+ tables and 0 files\.\nKeys are not included/,
    err: '',
  });
  t.hasStrict(await run('backup', here, file), { code: 1, err: `${file} already exists.\n` });
  t.match(await run('restore', there, file), {
    code: 0,
    out: /^Restored \d+ tables and 0 files\.\n$/,
    err: '',
  });
  t.strictSame(await tableHashes(empty.url), await tableHashes(url));
  t.match(await run('restore', there, file), { code: 1, err: /^The database is not empty\./ });

  const keys = join(folder, 'with-keys.tar');
  await mkdir(here.DATA_DIR, { recursive: true });
  await writeFile(join(here.DATA_DIR, 'session-keys'), `${'a'.repeat(43)}\n`);
  const elsewhere = (key: string, of: string, setting: string) =>
    `The key ${key} of ${of} is neither in this data folder nor in ${setting}: the backup lacks it. Keep that part's data ` +
    `folder too, or give all parts ${setting}.\n`;
  t.match(await run('backup', here, keys, '--with-keys'), {
    code: 0,
    out: new RegExp(
      `files, keys: session-keys\\.\n${elsewhere('account-keys', 'community', 'ACCOUNT_KEYS')}$`,
    ),
    err: '',
  });
  await rm(keys);
  await rm(join(here.DATA_DIR, 'session-keys'));
  const account = { ...here, ACCOUNT_KEYS: 'a'.repeat(43) };
  t.match(await run('backup', account, keys, '--with-keys'), {
    code: 0,
    out: new RegExp(
      `files\\.\nACCOUNT_KEYS is a setting and not in the backup: keep it with your settings\\.\n${elsewhere('session-keys', 'the gateway', 'SESSION_KEYS')}$`,
    ),
    err: '',
  });

  t.hasStrict(await run('approval-keys', here, 'list'), { code: 0, out: '', err: '' });
  const rotated = await run('approval-keys', here, 'rotate');
  t.match(rotated, { code: 0, out: /^Approvals are signed with [\w-]{43} from now on\.\n$/, err: '' });
  t.match(await run('approval-keys', here, 'list'), { code: 0, out: /^[\w-]{43}: made \S+Z\n$/, err: '' });
  await rm(join(here.DATA_DIR, 'account-keys'));
  const bundle = join(folder, 'one.bundle');
  const exported = await run('bundle', here, 'export', bundle, 'colour-steps');
  t.match(exported, {
    code: 0,
    out: /1 plugins in 1 versions, 0 files\.\nSigned\. Import it with --trust=\S{43}\n$/,
    err: '',
  });
  t.match(await run('verify', {}, bundle), {
    code: 0,
    out: /^0 entries and 0 packages are as they were approved\.\nKeep the head for the next time: --seen 0:0{64}\n$/,
    err: '',
  });
  t.match(await run('verify', {}, bundle, '--seen', `1:${'0'.repeat(64)}`), {
    code: 1,
    out: 'Entry 1 is missing.\n',
    err: `${bundle} is not as it was approved.\n`,
  });
  const key = exported.out.trim().split('--trust=').at(-1) ?? '';
  t.hasStrict(await run('bundle', here, 'key'), { code: 0, out: `${key}\n` });
  const configured = { ...there, BUNDLE_KEY: join(here.DATA_DIR, 'bundle-key.pem') };
  t.hasStrict(await run('bundle', configured, 'key'), { code: 0, out: `${key}\n` });
  const words = ['import', bundle, `--trust=${key}`, '--publisher', '100'];
  t.hasStrict(await run('bundle', there, ...words), {
    code: 0,
    out: 'Import: 0 of 1 plugins\nImport: 1 of 1 plugins, complete\ncolour-steps: unchanged\n',
    err: '',
  });
});

t.test('what cannot be done is said in one line', async (t) => {
  const DATA_DIR = await testFolder(t);
  const refused = async (err: string | RegExp, program: string, ...words: string[]) =>
    t.match(await run(program, { DATA_DIR }, ...words), { code: 1, out: '', err });
  await refused('Usage: npm run backup -- FILE [--with-keys]\n', 'backup');
  await refused('Usage: npm run restore -- FILE [--force]\n', 'restore', 'a', 'b');
  await refused(/^Usage:\n {2}npm run bundle -- export/, 'bundle', 'import', 'x');
  await refused(/^Usage:\n {2}npm run verify -- SITE/, 'verify');
  await refused(/^Usage:\n {2}npm run verify -- SITE/, 'verify', 'a', '--seen', '1');
  await refused('Usage: npm run approval-keys -- list|rotate\n', 'approval-keys', 'renew');
  await refused(/^Usage: npm run files -- move to-bucket/, 'files', 'move');
  await refused(/^There is no bucket: set S3_ENDPOINT/, 'files', 'move', 'to-bucket');
  await refused(/^There is no database in the data folder/, 'backup', join(DATA_DIR, 'x'));
  await refused(/cannot be read \(ENOENT\)\.\n$/, 'restore', join(DATA_DIR, 'none'));
  t.strictSame(await readdir(DATA_DIR), [], 'and nothing is made');
  t.strictSame(await Array.fromAsync(openFolderStore(DATA_DIR).list()), []);
});
