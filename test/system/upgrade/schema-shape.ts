import type { Pool } from '../../../server/database/pool.ts';

/** Columns that statements of a release use, by name: type, and whether an insert needs a value. */
export type Shape = ReadonlyMap<string, { type: string; needed: boolean }>;

/** Columns of all tables of a schema, as `schema.table.column`. */
export async function shapeOf(pool: Pool, schema: string): Promise<Shape> {
  const { rows } = await pool.query<{ name: string; type: string; needed: boolean }>(
    `select concat_ws('.', $1::text, c.relname, a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
        a.attnotnull and not a.atthasdef and a.attidentity = '' as needed
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' and c.relname not like 'kysely_%'
        and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`,
    [schema],
  );
  return new Map(rows.map(({ name, ...column }) => [name, column]));
}

/** One line for each column. */
export function formatShape(shape: Shape): string {
  return [...shape]
    .map(([name, { type, needed }]) => `${name}: ${type}${needed ? ', needed' : ''}\n`)
    .join('');
}

export function parseShape(text: string): Shape {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [name = '', rest = ''] = line.split(': ');
      return [name, { type: rest.replace(/, needed$/, ''), needed: rest.endsWith(', needed') }];
    }),
  );
}

/**
 * Changes from `before` to `now` that break statements of the older release: a column is missing or has another type, or
 * an insert lacks a required value.
 */
export function breakingChanges(before: Shape, now: Shape): string[] {
  const old = [...before].flatMap(([name, { type, needed }]) => {
    const column = now.get(name);
    if (column === undefined) return [`${name} is missing`];
    if (column.type !== type) return [`${name} is ${column.type}, was ${type}`];
    return column.needed && !needed ? [`${name} is required`] : [];
  });
  const tables = new Set([...before.keys()].map(tableOf));
  const added = [...now].filter(
    ([name, { needed }]) => needed && !before.has(name) && tables.has(tableOf(name)),
  );
  return [...old, ...added.map(([name]) => `${name} is new and required`)];
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}
