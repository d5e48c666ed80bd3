import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import pg, { type PoolClient } from 'pg';
import { from, to } from 'pg-copy-streams';
import { collect, type Entry } from '../../storage/archive.ts';
import { type Contents, type Table, tableOfEntry } from './contents.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Rows are stored in parts of about this many bytes, each compressed separately, so that memory stays constant. */
const PART_BYTES = 4 * 2 ** 20;

/** All rows of a table in the format of COPY, in compressed parts. A part may end within a row. */
export async function* readTable(client: PoolClient, table: Table): AsyncGenerator<Buffer> {
  let part: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of client.query(to(`copy ${columnsOf(table)} to stdout`))) {
    part.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield await compress(Buffer.concat(part));
    part = [];
    bytes = 0;
  }
  if (bytes > 0) yield await compress(Buffer.concat(part));
}

/** Writes the compressed parts of a table's rows. */
function openTable(client: PoolClient, table: Table) {
  const stream = client.query(from(`copy ${columnsOf(table)} from stdin`));
  const ended = finished(stream);
  ended.catch(() => undefined);
  return {
    async write(part: Buffer): Promise<void> {
      if (!stream.write(await decompress(part))) await Promise.race([once(stream, 'drain'), ended]);
    },
    async end(): Promise<void> {
      stream.end();
      await ended;
    },
  };
}

function columnsOf({ schema, table, columns }: Table): string {
  const name = pg.escapeIdentifier;
  return `${name(schema)}.${name(table)} (${columns.map((column) => name(column)).join(', ')})`;
}

/** Writes the rows of all tables, in the order of the archive's entries. */
export function openTables(client: PoolClient, { tables }: Contents) {
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.table}`, table]));
  let current: { name: string; rows: ReturnType<typeof openTable> } | undefined;

  async function end(): Promise<void> {
    await current?.rows.end();
    current = undefined;
  }
  return {
    /** @returns false for an entry that is not part of a table */
    async write({ name: entry, pieces }: Entry): Promise<boolean> {
      const name = tableOfEntry(entry);
      if (current && current.name !== name) await end();
      const table = name === undefined ? undefined : byName.get(name);
      if (name === undefined || !table) return false;
      current ??= { name, rows: openTable(client, table) };
      await current.rows.write(await collect(pieces));
      return true;
    },
    end,
  };
}
