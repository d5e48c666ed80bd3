/**
 * While instances are replaced one after another, those of the release before work on the schema of this one. What they
 * count on is kept in a file, which a release renews: `RELEASE=1 node test/upgrade/released-shape.test.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../server/identity/schema.ts';
import { testDatabase } from '../support/database.ts';
import { breaks, parsed, shapeOf, written } from './schema-shape.ts';

const FILE = new URL('../fixtures/released-shape.txt', import.meta.url);
const SERVICES = [
  { schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { schema: IDENTITY_SCHEMA, migrations: identityMigrations },
];
const columns: [string, { type: string; needed: boolean }][] = [];
for (const service of SERVICES) {
  const { pool } = await testDatabase(t, service);
  columns.push(...(await shapeOf(pool, service.schema)));
}
const now = new Map(columns);
if (process.env.RELEASE) writeFileSync(FILE, written(now));
const released = parsed(readFileSync(FILE, 'utf8'));

t.test('statements of the last release work on this schema', async (t) => {
  for (const { schema } of SERVICES)
    t.ok(
      [...released.keys()].some((name) => name.startsWith(`${schema}.`)),
      schema,
    );
  t.strictSame(breaks(released, now), [], 'add first, take away a release later');
});

t.test('a step that breaks them is found', async (t) => {
  const { pool } = await testDatabase(t, {
    schema: 'shop',
    migrations: {
      '0001-first': {
        up: async (db) => {
          for (const name of ['kept', 'dropped'])
            await db.schema.createTable(name).addColumn('a', 'text').execute();
          await db.schema.alterTable('kept').addColumn('b', 'integer').execute();
          await db.schema.alterTable('kept').addColumn('c', 'integer').execute();
        },
      },
    },
  });
  const before = await shapeOf(pool, 'shop');
  await pool.query('create table more (id integer not null); alter table kept add column d text');
  t.strictSame(parsed(written(before)), before, 'it is read as it was written');
  t.strictSame(breaks(before, await shapeOf(pool, 'shop')), [], 'what is added breaks nothing');
  await pool.query(`
    drop table dropped; alter table kept drop column a; alter table kept alter column b type bigint;
    alter table kept alter column c set not null; alter table kept add column e text not null`);
  t.strictSame(breaks(before, await shapeOf(pool, 'shop')), [
    'shop.dropped.a is gone',
    'shop.kept.a is gone',
    'shop.kept.b is bigint, was integer',
    'shop.kept.c must be given',
    'shop.kept.e is new and must be given',
  ]);
});
