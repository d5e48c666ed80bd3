import type { Pool } from '../../../server/database/pool.ts';

/** What a schema consists of, by kind and name: columns with type and whether an insert needs a value, and definitions. */
export type Shape = ReadonlyMap<string, string>;

const NEEDED = ', needed';

/** Columns as `column schema.table.column`, and constraints, indexes, triggers and functions, without Kysely's own tables. */
export async function shapeOf(pool: Pool, schema: string): Promise<Shape> {
  const { rows } = await pool.query<{ name: string; text: string }>(
    `with tables as (
      select oid, concat_ws('.', $1::text, relname) as name from pg_class
        where relnamespace = $1::text::regnamespace and relkind = 'r' and relname not like 'kysely_%'
    ), parts as (
      select 1 as part, 'column ' || t.name || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull and not a.atthasdef and a.attidentity = '' then $2 else '' end as text
        from tables t join pg_attribute a on a.attrelid = t.oid where a.attnum > 0 and not a.attisdropped
      union all select 2, 'constraint ' || t.name || '.' || c.conname, pg_get_constraintdef(c.oid)
        from tables t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'
      union all select 3, 'index ' || t.name || '.' || c.relname, pg_get_indexdef(c.oid)
        from tables t join pg_index i on i.indrelid = t.oid join pg_class c on c.oid = i.indexrelid
      union all select 4, 'trigger ' || t.name || '.' || g.tgname, pg_get_triggerdef(g.oid)
        from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
      union all select 5, 'function ' || concat_ws('.', $1::text, proname), md5(pg_get_functiondef(oid))
        from pg_proc where pronamespace = $1::text::regnamespace
    )
    select name, regexp_replace(text, '\\s+', ' ', 'g') as text from parts order by part, name collate "C"`,
    [schema, NEEDED],
  );
  return new Map(rows.map(({ name, text }) => [name, text]));
}

/** One line for each part. */
export function formatShape(shape: Shape): string {
  return [...shape].map(([name, text]) => `${name}: ${text}\n`).join('');
}

export function parseShape(text: string): Shape {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const end = line.indexOf(': ');
      return [line.slice(0, end), line.slice(end + 2)];
    }),
  );
}

/**
 * Changes of columns from `before` to `now` that break statements of the older release: a column is missing or has another
 * type, or an insert lacks a required value.
 */
export function breakingChanges(before: Shape, now: Shape): string[] {
  const columns = [...before].filter(([name]) => name.startsWith('column '));
  const old = columns.flatMap(([name, was]) => {
    const is = now.get(name);
    if (is === undefined) return [`${name} is missing`];
    if (typeOf(is) !== typeOf(was)) return [`${name} is ${typeOf(is)}, was ${typeOf(was)}`];
    return is.endsWith(NEEDED) && !was.endsWith(NEEDED) ? [`${name} is required`] : [];
  });
  const tables = new Set(columns.map(([name]) => tableOf(name)));
  const added = [...now].filter(
    ([name, is]) => is.endsWith(NEEDED) && !before.has(name) && tables.has(tableOf(name)),
  );
  return [...old, ...added.map(([name]) => `${name} is new and required`)];
}

function typeOf(column: string): string {
  return column.endsWith(NEEDED) ? column.slice(0, -NEEDED.length) : column;
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}
