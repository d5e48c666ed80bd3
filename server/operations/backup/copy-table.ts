import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import pg, { type PoolClient } from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Table } from './contents.ts';

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
export type Filling = { add(packed: Buffer): Promise<void>; end(): Promise<void> };

/** Puts the packed parts of a table's rows into it. A part may end within a row. */
export function fillTable(client: PoolClient, table: Table): Filling {
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
