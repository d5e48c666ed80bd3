import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';

export type Value = string | number | boolean | null;

/** A row in the text format of `COPY … FROM STDIN` (PostgreSQL, chapter "COPY"). */
export function copyLine(values: readonly Value[]): string {
  return `${values.map(copyField).join('\t')}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function copyField(value: Value): string {
  if (value === null) return '\\N';
  return typeof value === 'string'
    ? value.replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? sign)
    : `${value}`;
}

/** Sends rows to a table. @param into its name and columns, as after `copy` */
export async function copyIn(client: ClientBase, into: string, lines: string): Promise<void> {
  await pipeline(Readable.from([Buffer.from(lines)]), client.query(from(`copy ${into} from stdin`)));
}
