import { type Static, Type } from 'typebox';
import { nameIn } from '../../storage/archive.ts';

const tableSchema = Type.Object({
  schema: Type.String(),
  table: Type.String(),
  /** In the order of the archive, without generated columns. */
  columns: Type.Array(Type.String()),
});

/** Description of the backed up database (entry `contents.json`). */
export const contentsSchema = Type.Object({
  schemas: Type.Array(Type.Object({ schema: Type.String(), migrations: Type.Array(Type.String()) })),
  tables: Type.Array(tableSchema),
  /** Sequences with their last values; null if no value was used yet. */
  sequences: Type.Array(
    Type.Object({
      schema: Type.String(),
      sequence: Type.String(),
      last: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

export type Contents = Static<typeof contentsSchema>;
export type Table = Static<typeof tableSchema>;

export const CONTENTS = 'contents.json';
const KEYS = 'keys/';

/** Key files of a data folder: encryption keys such as `account-keys`, and the signing key `bundle-key.pem`. */
export const KEY_FILE = /^[a-z]+(?:-[a-z]+)*-(?:keys|key\.pem)$/;

export const entryOfKeys = (name: string): string => KEYS + name;
export const keysOfEntry = (entry: string): string | undefined => nameIn(KEYS, entry);

export function entryOfTable({ schema, table }: Table, part: number): string {
  return `tables/${schema}.${table}/${String(part).padStart(8, '0')}`;
}

/** @returns `schema.table` */
export function tableOfEntry(entry: string): string | undefined {
  return /^tables\/([^/]+)\/\d{8}$/.exec(entry)?.[1];
}
