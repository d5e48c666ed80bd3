/**
 * During a rolling update, instances of the last release work on the schema of this one. The columns they use are stored in
 * a file that each release renews: `RELEASE=1 node test/system/upgrade/released-shape.test.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import { identityMigrations } from '../../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../../server/identity/schema.ts';
import { testDatabase } from '../../support/database.ts';
import { breakingChanges, formatShape, parseShape, shapeOf } from './schema-shape.ts';

const FILE = new URL('../../fixtures/released-shape.txt', import.meta.url);
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
if (process.env.RELEASE) writeFileSync(FILE, formatShape(now));
const released = parseShape(readFileSync(FILE, 'utf8'));

t.test('statements of the last release work on this schema', async (t) => {
  for (const { schema } of SERVICES)
    t.ok(
      [...released.keys()].some((name) => name.startsWith(`${schema}.`)),
      schema,
    );
  t.strictSame(breakingChanges(released, now), [], 'add columns first, remove them a release later');
});

t.test('breaking migrations are found', async (t) => {
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
  t.strictSame(parseShape(formatShape(before)), before, 'formatting and parsing are inverse');
  t.strictSame(breakingChanges(before, await shapeOf(pool, 'shop')), [], 'additions break nothing');
  await pool.query(`
    drop table dropped; alter table kept drop column a; alter table kept alter column b type bigint;
    alter table kept alter column c set not null; alter table kept add column e text not null`);
  t.strictSame(breakingChanges(before, await shapeOf(pool, 'shop')), [
    'shop.dropped.a is missing',
    'shop.kept.a is missing',
    'shop.kept.b is bigint, was integer',
    'shop.kept.c is required',
    'shop.kept.e is new and required',
  ]);
});
