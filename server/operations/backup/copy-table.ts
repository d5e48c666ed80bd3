import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import pg, { type PoolClient } from 'pg';
import { from, to } from 'pg-copy-streams';
import { collect, type Entry } from '../archive/read-archive.ts';
import { type Contents, type Table, tableOfEntry } from './contents.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Rows go into the archive in parts of about this many bytes, packed each for itself: memory stays flat. */
const PART_BYTES = 4 * 2 ** 20;

/** All rows of a table as COPY has them, packed, a part at a time. */
export async function* partsOf(client: PoolClient, table: Table): AsyncGenerator<Buffer> {
  let part: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of client.query(to(`copy ${placeOf(table)} to stdout`))) {
    part.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield await compress(Buffer.concat(part));
    part = [];
    bytes = 0;
  }
  if (bytes > 0) yield await compress(Buffer.concat(part));
}

/** Rows on their way into a table. */
type Filling = { add(packed: Buffer): Promise<void>; end(): Promise<void> };

/** Puts the packed parts of a table's rows into it. A part may end within a row. */
function fillTable(client: PoolClient, table: Table): Filling {
  const stream = client.query(from(`copy ${placeOf(table)} from stdin`));
  const ended = finished(stream);
  ended.catch(() => undefined);
  return {
    async add(packed) {
      if (!stream.write(await decompress(packed))) await Promise.race([once(stream, 'drain'), ended]);
    },
    async end() {
      stream.end();
      await ended;
    },
  };
}

function placeOf({ schema, table, columns }: Table): string {
  const name = pg.escapeIdentifier;
  return `${name(schema)}.${name(table)} (${columns.map((column) => name(column)).join(', ')})`;
}

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
