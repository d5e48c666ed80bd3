/**
 * What the migrations of the last release make is stored in a file, which a release with new migrations renews:
 * `RELEASE=1 node test/system/upgrade/released-shape.test.ts`. A released migration never changes, and during a rolling update
 * instances of the last release work on the schema of this one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { Migrations } from '../../../server/database/migrate.ts';
import { identityMigrations } from '../../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../../server/identity/schema.ts';
import { testDatabase } from '../../support/database.ts';
import { breakingChanges, formatShape, parseShape, type Shape, shapeOf } from './schema-shape.ts';

const FILE = new URL('../../fixtures/released-shape.txt', import.meta.url);
const SERVICES = [
  { schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { schema: IDENTITY_SCHEMA, migrations: identityMigrations },
];
const migrationOf = (schema: string, name: string) => `migration ${schema}.${name}`;

/** The schemas that all migrations make, or only those whose names `isIncluded` accepts. */
async function shapeAfter(isIncluded: (migration: string) => boolean): Promise<Shape> {
  const parts: [string, string][] = [];
  for (const { schema, migrations: all } of SERVICES) {
    const migrations: Migrations = Object.fromEntries(
      Object.entries(all).filter(([name]) => isIncluded(migrationOf(schema, name))),
    );
    const { pool } = await testDatabase(t, { schema, migrations });
    for (const name of Object.keys(migrations)) parts.push([migrationOf(schema, name), 'released']);
    parts.push(...(await shapeOf(pool, schema)));
  }
  return new Map(parts);
}

const now = await shapeAfter(() => true);
if (process.env.RELEASE) writeFileSync(FILE, formatShape(now));
const released = parseShape(readFileSync(FILE, 'utf8'));

t.test('a released migration has not changed', async (t) => {
  for (const { schema } of SERVICES) t.equal(released.get(migrationOf(schema, '0001-baseline')), 'released');
  const made = await shapeAfter((migration) => released.has(migration));
  t.strictSame(made, released, 'add a migration instead');
});

t.test('statements of the last release work on this schema', async (t) => {
  t.strictSame(breakingChanges(released, now), [], 'add columns first, remove them a release later');
});

t.test('changes are found', async (t) => {
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
  t.strictSame(parseShape(formatShape(before)), before, 'formatting and parsing are inverse');
  await pool.query(`
    create table more (id integer not null); alter table kept add column d text;
    create index kept_by_b on kept (b); alter table kept add constraint kept_c check (c > 0);
    create function one() returns integer language sql return 1;
    create function stop() returns trigger language plpgsql as 'begin return null; end';
    create trigger kept_stop before insert on kept for each row execute function stop()`);
  const grown = await shapeOf(pool, 'shop');
  t.strictSame(breakingChanges(before, grown), [], 'additions break nothing');
  t.strictSame(
    [...grown.keys()].filter((name) => !before.has(name)),
    [
      ...['column shop.kept.d', 'column shop.more.id', 'constraint shop.kept.kept_c'],
      ...['index shop.kept.kept_by_b', 'trigger shop.kept.kept_stop'],
      ...['function shop.one', 'function shop.stop'],
    ],
    'and all of them are seen',
  );
  await pool.query('create or replace function one() returns integer language sql return 2');
  t.not((await shapeOf(pool, 'shop')).get('function shop.one'), grown.get('function shop.one'));
  await pool.query(`
    drop table dropped; alter table kept drop column a; alter table kept alter column b type bigint;
    alter table kept alter column c set not null; alter table kept add column e text not null`);
  t.strictSame(breakingChanges(before, await shapeOf(pool, 'shop')), [
    'column shop.dropped.a is missing',
    'column shop.kept.a is missing',
    'column shop.kept.b is bigint, was integer',
    'column shop.kept.c is required',
    'column shop.kept.e is new and required',
  ]);
});
