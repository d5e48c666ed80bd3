import type { Migrations } from '../database/migrate.ts';
import { accountsAndTokens } from './migrations/0001-accounts-and-tokens.ts';
import { members } from './migrations/0002-members.ts';
import { external } from './migrations/0003-external.ts';
import { passwords } from './migrations/0004-passwords.ts';
import { secondFactor } from './migrations/0005-second-factor.ts';
import { sealedKeys } from './migrations/0006-sealed-keys.ts';
import { ownSessions } from './migrations/0007-own-sessions.ts';
import { enterprises } from './migrations/0008-enterprises.ts';
import { codeChallenge } from './migrations/0009-code-challenge.ts';
import { linkedSignIns } from './migrations/0010-linked-sign-ins.ts';
import { ownedAddresses } from './migrations/0011-owned-addresses.ts';
import { accountChanges } from './migrations/0012-account-changes.ts';
import { roleChanges } from './migrations/0013-role-changes.ts';
import { noticeMails } from './migrations/0014-notice-mails.ts';

/** Steps of the identity service's schema. */
export const identityMigrations: Migrations = {
  '0001-accounts-and-tokens': accountsAndTokens,
  '0002-members': members,
  '0003-external': external,
  '0004-passwords': passwords,
  '0005-second-factor': secondFactor,
  '0006-sealed-keys': sealedKeys,
  '0007-own-sessions': ownSessions,
  '0008-enterprises': enterprises,
  '0009-code-challenge': codeChallenge,
  '0010-linked-sign-ins': linkedSignIns,
  '0011-owned-addresses': ownedAddresses,
  '0012-account-changes': accountChanges,
  '0013-role-changes': roleChanges,
  '0014-notice-mails': noticeMails,
};
