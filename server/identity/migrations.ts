import type { Migrations } from '../database/migrate.ts';
import * as baseline from './migrations/0001-baseline.ts';
import * as accountMails from './migrations/0002-account-mails.ts';
import * as rotatingRefreshTokens from './migrations/0005-rotating-refresh-tokens.ts';
import * as tools from './migrations/0006-tools.ts';
import * as connectedTools from './migrations/0007-connected-tools.ts';
import * as registeredTools from './migrations/0008-registered-tools.ts';
import * as limitedSessions from './migrations/0009-limited-sessions.ts';

/** All migrations, from an empty schema to the current one. */
export const identityMigrations: Migrations = {
  '0001-baseline': baseline,
  '0002-account-mails': accountMails,
  '0005-rotating-refresh-tokens': rotatingRefreshTokens,
  '0006-tools': tools,
  '0007-connected-tools': connectedTools,
  '0008-registered-tools': registeredTools,
  '0009-limited-sessions': limitedSessions,
};
