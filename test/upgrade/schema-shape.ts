import type { Pool } from '../../server/database/pool.ts';

/** What statements of a release count on, by the name of a column: its type, and whether an insert must give it. */
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

/** A line per column. */
export function written(shape: Shape): string {
  return [...shape]
    .map(([name, { type, needed }]) => `${name}: ${type}${needed ? ', needed' : ''}\n`)
    .join('');
}

export function parsed(text: string): Shape {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [name = '', rest = ''] = line.split(': ');
      return [name, { type: rest.replace(/, needed$/, ''), needed: rest.endsWith(', needed') }];
    }),
  );
}

/**
 * Where statements of the release that had `before` fail on `now`: what they name is gone, of another type, or an
 * insert of theirs leaves out what must be there.
 */
export function breaks(before: Shape, now: Shape): string[] {
  const old = [...before].flatMap(([name, { type, needed }]) => {
    const column = now.get(name);
    if (column === undefined) return [`${name} is gone`];
    if (column.type !== type) return [`${name} is ${column.type}, was ${type}`];
    return column.needed && !needed ? [`${name} must be given`] : [];
  });
  const tables = new Set([...before.keys()].map(tableOf));
  const added = [...now].filter(
    ([name, { needed }]) => needed && !before.has(name) && tables.has(tableOf(name)),
  );
  return [...old, ...added.map(([name]) => `${name} is new and must be given`)];
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}
