import type { Kysely, Updateable } from 'kysely';
import type { DB } from './tables.ts';

export type { StoredListing } from './column-types.ts';

/** Tables of the schema `community`. */
export type CommunityTables = DB;

/** A connection pool or a transaction; the first argument of store functions. */
export type Db = Kysely<CommunityTables>;

export type PluginChange = Updateable<CommunityTables['plugin']>;
