import type { Kysely, Selectable } from 'kysely';
import type { DB } from './tables.ts';

/** Name of the service's PostgreSQL schema. */
export const SCHEMA = 'identity';

/** Tables of the schema `identity`. */
export type IdentityTables = DB;

/** A connection pool or a transaction; the first argument of store functions. */
export type IdentityDb = Kysely<IdentityTables>;
export type Account = Selectable<IdentityTables['account']>;
