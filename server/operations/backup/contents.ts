import { type Static, Type } from 'typebox';

const tableSchema = Type.Object({
  schema: Type.String(),
  table: Type.String(),
  /** In the order of the archive; columns that the database computes are not among them. */
  columns: Type.Array(Type.String()),
});

/** What a backup says of the database it was made from (entry `contents.json`). */
export const contentsSchema = Type.Object({
  schemas: Type.Array(Type.Object({ schema: Type.String(), migrations: Type.Array(Type.String()) })),
  tables: Type.Array(tableSchema),
  /** Numbers that are given next; null where none was given yet. */
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
const FILES = 'files/';
const KEYS = 'keys/';

/** Keys of a data folder: `account-keys` and others that open what is encrypted, and `bundle-key.pem`, which signs. */
export const KEY_FILE = /^[a-z]+(?:-[a-z]+)*-(?:keys|key\.pem)$/;

export const entryOfFile = (name: string): string => FILES + name;
export const fileOfEntry = (entry: string): string | undefined => after(FILES, entry);
export const entryOfKeys = (name: string): string => KEYS + name;
export const keysOfEntry = (entry: string): string | undefined => after(KEYS, entry);

export function entryOfTable({ schema, table }: Table, part: number): string {
  return `tables/${schema}.${table}/${String(part).padStart(8, '0')}`;
}

/** @returns `schema.table` */
export function tableOfEntry(entry: string): string | undefined {
  return /^tables\/([^/]+)\/\d{8}$/.exec(entry)?.[1];
}

function after(prefix: string, entry: string): string | undefined {
  return entry.startsWith(prefix) ? entry.slice(prefix.length) : undefined;
}
