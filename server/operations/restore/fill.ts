import type { PoolClient } from 'pg';
import { collect, type Entry } from '../archive/read-archive.ts';
import { type Contents, tableOfEntry } from '../backup/contents.ts';
import { type Filling, fillTable } from '../backup/copy-table.ts';

/** Takes the parts of all tables, one table after another, as they come out of the archive. */
export function openTables(client: PoolClient, { tables }: Contents) {
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.table}`, table]));
  let current: { name: string; filling: Filling } | undefined;

  async function end(): Promise<void> {
    await current?.filling.end();
    current = undefined;
  }
  return {
    /** @returns false for an entry that is no part of a table */
    async take({ name: entry, pieces }: Entry): Promise<boolean> {
      const name = tableOfEntry(entry);
      if (current && current.name !== name) await end();
      const table = name === undefined ? undefined : byName.get(name);
      if (name === undefined || !table) return false;
      current ??= { name, filling: fillTable(client, table) };
      await current.filling.add(await collect(pieces));
      return true;
    },
    end,
  };
}
