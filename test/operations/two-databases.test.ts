import { join } from 'node:path';
import t from 'tap';
import { openFolderStore } from '../../server/community/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../server/identity/schema.ts';
import { backUp } from '../../server/operations/backup/backup.ts';
import { checkBackup, restore } from '../../server/operations/restore/restore.ts';
import { addPlugin } from '../community/add-plugin.ts';
import { testFolder } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';
import { silentLog as log } from '../support/log.ts';
import { tableHashes } from './table-hashes.ts';

t.test('services with a database each have a backup each', async (t) => {
  const community = await testDatabase<CommunityTables>(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
  });
  const identity = await testDatabase(t, { schema: IDENTITY_SCHEMA, migrations: identityMigrations });
  await addPlugin(community.db, { key: 'colour-steps' });
  await identity.pool.query(`
    insert into account (user_name, user_name_key, email, nick_name, nick_name_key, created_at)
      values ('ada', 'ada', '', 'Ada', 'ada', now())`);
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  const given = { files, log, dataDir, force: false };
  const restored: string[] = [];
  for (const [name, { url }] of Object.entries({ community, identity })) {
    const file = join(dataDir, `${name}.tar`);
    await backUp({ url, files, log, file, keysOf: undefined });
    const target = await testDatabase(t, { name: 'restored' });
    const backup = await checkBackup(file);
    await restore({ ...given, url: target.url, backup });
    t.strictSame(await tableHashes(target.url), await tableHashes(url), name);
    restored.push(target.url);
  }
  const backup = await checkBackup(join(dataDir, 'community.tar'));
  const [, url = ''] = restored;
  await t.rejects(restore({ ...given, url, backup }), { message: /is not empty/ }, "never over another's");
});
