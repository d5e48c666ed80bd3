import type { Migrations } from '../database/migrate.ts';
import { accountsAndTokens } from './migrations/0001-accounts-and-tokens.ts';
import { members } from './migrations/0002-members.ts';

/** Steps of the identity service's schema. */
export const identityMigrations: Migrations = {
  '0001-accounts-and-tokens': accountsAndTokens,
  '0002-members': members,
};
