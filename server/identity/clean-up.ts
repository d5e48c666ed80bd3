import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../http/repeat.ts';
import { type Rotation, rotateKeys } from './keys/key-ring.ts';
import {
  NETWORK_LIFETIME,
  NOTICE_MAIL_RETENTION,
  ROLE_CHANGE_RETENTION,
  USED_CODE_RETENTION,
} from './lifetimes.ts';
import { deleteDueAccounts } from './own-account/deletion.ts';
import type { IdentityDb } from './schema.ts';
import { ATTEMPT_RETENTION } from './sign-in/attempts/rate-limit.ts';

type CleanUp = {
  db: IdentityDb;
  now: () => number;
  /** Milliseconds between two rounds, and before the first. */
  every: number;
  rotation: Rotation;
  log: FastifyBaseLogger;
  deleteDue: () => Promise<unknown>;
};

/** Milliseconds between two rounds. */
const CLEAN_UP_EVERY = 10 * 60 * 1000;

/** What repeats and works on the rows of more than one area. */
export async function cleanUp(app: FastifyInstance): Promise<void> {
  const { identity, log } = app;
  const { db, now, encryptor, keyRotation } = identity;
  cleanUpRegularly(app, {
    db,
    now,
    every: CLEAN_UP_EVERY,
    log,
    deleteDue: () => deleteDueAccounts(identity, log),
    rotation: { now, encryptor, every: keyRotation },
  });
}

/** Rotates signing keys, deletes expired rows and deletes due accounts while the app listens. */
export function cleanUpRegularly(app: FastifyInstance, options: CleanUp): void {
  const { db, now, every, rotation, log, deleteDue } = options;
  const jobs: [what: string, run: () => Promise<unknown>][] = [
    ['signing key rotation', () => rotateKeys(db, rotation)],
    ['deleting expired rows', () => deleteExpiredRows(db, now())],
    ['deleting due accounts', deleteDue],
  ];
  for (const [what, work] of jobs) {
    repeatWhileListening(app, {
      every,
      first: every,
      log,
      failed: `${what} failed`,
      recovered: `${what} succeeds again`,
      async run() {
        await work();
      },
    });
  }
}

/** Tables whose rows are useless after `expires_at`. */
const EXPIRING_TABLES = [
  'refresh_token',
  'session',
  'sso_login',
  'used_proof',
  'pending_bind',
  'second_factor_setup',
  'sign_in_challenge',
  'password_link',
  'sign_up_link',
  'address_link',
  'account_mail',
  'oauth_state',
] as const;

/**
 * Deletes rows that no longer matter, also of the other tables if one fails.
 * @throws AggregateError
 */
export async function deleteExpiredRows(db: IdentityDb, now: number): Promise<void> {
  const before = (age: number): Date => new Date(now - age);
  const deletions = [
    db.deleteFrom('authorization_code').where('expires_at', '<=', before(USED_CODE_RETENTION)),
    ...EXPIRING_TABLES.map((table) => db.deleteFrom(table).where('expires_at', '<=', before(0))),
    db.deleteFrom('attempt').where('last_at', '<=', before(ATTEMPT_RETENTION)),
    db.deleteFrom('notice_mail').where('created_at', '<', before(NOTICE_MAIL_RETENTION)),
    db.deleteFrom('role_change').where('changed_at', '<', before(ROLE_CHANGE_RETENTION)),
    db.deleteFrom('known_network').where('last_at', '<=', before(NETWORK_LIFETIME)),
  ];
  const failures: unknown[] = [];
  for (const deletion of deletions) await deletion.execute().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'expired rows could not be deleted');
}
