import { COMMUNITY_SCHEMA, communityMigrations } from '../community/migrations.ts';
import type { Migrations } from '../database/migrate.ts';
import { identityMigrations } from '../identity/migrations.ts';
import { SCHEMA } from '../identity/schema.ts';

/** Everything that the product keeps in a database. */
export const SCHEMAS: readonly { schema: string; migrations: Migrations }[] = [
  { schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { schema: SCHEMA, migrations: identityMigrations },
];
