import { sql } from 'kysely';
import { pino } from 'pino';
import t from 'tap';
import { createCommunity } from '../../../server/community/app.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import { prepareCommunity } from '../../../server/community/prepare.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openPool } from '../../../server/database/pool.ts';
import { contract } from '../../../shared/contract.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { ask, dataOf } from '../../community/ask.ts';
import { jsonFile, packageText, pluginForm } from '../../community/publishing/publish/form-parts.ts';
import { publishing } from '../../community/publishing/publish/publishing.ts';
import { reviewer } from '../../community/review/decisions/reviewer.ts';
import { comeAsGateway, testCommunity, testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { SERVICE_KEYS } from '../../support/service-keys.ts';

const log = pino({ level: 'silent' });

/** Changes that a next release may make: optional columns and new tables. */
const NEXT = {
  ...communityMigrations,
  '9999-next-release': {
    up: async (db: Parameters<(typeof communityMigrations)[string]['up']>[0]) => {
      const { rows } = await sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = current_schema() and tablename not like 'kysely_%'`.execute(
        db,
      );
      for (const { name } of rows) {
        await sql`alter table ${sql.id(name)} add column of_next_release text default 'next'`.execute(db);
      }
      await sql`create table of_next_release (id bigint primary key)`.execute(db);
    },
  },
};

t.test('an instance keeps working while the next release migrates the schema', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { sent } = publishing(community);
  const { decide } = reviewer(community);
  const plugin = await addPlugin(community.db, { key: 'there-before' });
  const user = await community.bearer(7);
  let serial = 0;
  /** Publishes, likes, installs and reads once. */
  const work = async (): Promise<void> => {
    serial += 1;
    const code = jsonFile(packageText({}, `console.log(${serial});\n`));
    const { plugin_key } = await sent(pluginForm({ code }));
    dataOf(await decide({ plugin_key, audit_status: 2 }), contract.decideAudit.data);
    const body = { plugin_key: 'there-before', praise: serial % 2 === 0 ? -1 : 1 };
    dataOf(
      await ask(community.url, 'plugin/user/praise', { headers: user, body }),
      contract.praisePlugin.data,
    );
    const install = { method: serial % 2 === 0 ? 'DELETE' : 'POST', headers: user, body };
    t.equal(
      (await ask(community.url, 'plugin/user', { ...install, body: { plugin_key: 'there-before' } })).status,
      200,
    );
    const page = dataOf(await ask(community.url, 'plugin/list?limit=100'), contract.listPlugins.data);
    t.equal(page.total, serial + 1, 'the new plugin is listed');
    t.hasStrict((await ask(community.url, `plugin?plugin_key=${plugin_key}`)).json, { code: 0 });
  };
  await work();
  let isMigrated = false;
  const migrating = migrate({ db: community.db, schema: COMMUNITY_SCHEMA, migrations: NEXT, log }).then(
    (ran) => {
      isMigrated = true;
      return ran;
    },
  );
  do await work();
  while (!isMigrated);
  t.strictSame(await migrating, ['9999-next-release']);
  for (let round = 0; round < 3; round += 1) await work();
  const { rows } = await community.pool.query('select of_next_release from plugin where id <> $1 limit 1', [
    plugin,
  ]);
  t.strictSame(rows, [{ of_next_release: 'next' }], 'rows have the columns of the next release');
  await t.rejects(
    migrate({ db: community.db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log }),
    /migrated by a newer release \(community: 9999-next-release\)/,
    'an old instance refuses to start on the newer schema',
  );
});

t.test('instances that start at the same time on an empty database create its schema once', async (t) => {
  const { url } = await testDatabase<CommunityTables>(t, { name: 'at_once' });
  const dataDir = await testFolder(t);
  const tags = await Promise.all(
    [1, 2, 3].map(async (instance) => {
      const pool = openPool(url, { applicationName: `instance ${instance}`, schema: COMMUNITY_SCHEMA, log });
      t.teardown(() => pool.end());
      const own = { pool, log, now: Date.now, dataDir };
      await prepareCommunity(own);
      const app = await createCommunity({
        ...own,
        jwksUrl: 'http://127.0.0.1:9/',
        identityUrl: 'http://127.0.0.1:9',
        serviceKeys: SERVICE_KEYS,
        publishers: 'admins',
        publicUrl: 'http://localhost',
        publishing: { limits: [], quotaBytes: 2 ** 30 },
      });
      comeAsGateway(app);
      t.teardown(() => app.close());
      const origin = await app.listen({ host: '127.0.0.1', port: 0 });
      return dataOf(await ask(origin, 'plugin/tag/list'), contract.listTags.data).tag_list.length;
    }),
  );
  const [count] = tags;
  t.ok(count);
  t.strictSame(tags, [count, count, count], 'every instance has the first tags');
});
