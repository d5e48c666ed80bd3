import type { Migrations } from '../database/migrate.ts';
import { accountsAndTokens } from './migrations/0001-accounts-and-tokens.ts';
import { members } from './migrations/0002-members.ts';
import { external } from './migrations/0003-external.ts';

/** Steps of the identity service's schema. */
export const identityMigrations: Migrations = {
  '0001-accounts-and-tokens': accountsAndTokens,
  '0002-members': members,
  '0003-external': external,
};
