import type { FastifyBaseLogger } from 'fastify';
import { deleteOldRoleChanges } from './account/store.ts';
import { deleteExpiredAddressLinks } from './addresses/store.ts';
import { LONGEST_MEMORY } from './attempts/attempt-limit.ts';
import { deleteOldAttempts, deleteOldNetworks } from './attempts/store.ts';
import { deleteOldCodes } from './codes/store.ts';
import { deleteExpiredSignIns } from './federation/store.ts';
import { type Rotation, rotateKeys } from './keys/key-ring.ts';
import { NETWORK_LIFETIME, NOTICE_MAIL_MEMORY, ROLE_CHANGE_MEMORY, USED_CODE_MEMORY } from './lifetimes.ts';
import { deleteOldMails } from './notice-mails/store.ts';
import { deleteExpiredLinks } from './password/store.ts';
import type { IdentityDb } from './schema.ts';
import { deleteExpiredSetups } from './second-factor/store.ts';
import { deleteExpiredSessions } from './sessions/store.ts';

/** Deletes the codes, sessions, refresh tokens and counted attempts that no longer matter. */
export async function sweep(db: IdentityDb, now: () => number): Promise<void> {
  await deleteOldCodes(db, new Date(now() - USED_CODE_MEMORY));
  await deleteExpiredSessions(db, new Date(now()));
  await deleteExpiredSignIns(db, new Date(now()));
  await deleteExpiredSetups(db, new Date(now()));
  await deleteExpiredLinks(db, new Date(now()));
  await deleteExpiredAddressLinks(db, new Date(now()));
  await deleteOldAttempts(db, new Date(now() - LONGEST_MEMORY));
  await deleteOldMails(db, new Date(now() - NOTICE_MAIL_MEMORY));
  await deleteOldRoleChanges(db, new Date(now() - ROLE_CHANGE_MEMORY));
  await deleteOldNetworks(db, new Date(now() - NETWORK_LIFETIME));
}

/** Sweeps, and looks after the signing keys, now and then until told to stop; stopping waits for a sweep that is under way. `every` in milliseconds. */
export function startSweeping(options: {
  db: IdentityDb;
  now: () => number;
  every: number;
  rotation: Rotation;
  log: FastifyBaseLogger;
  deleteDue: () => Promise<unknown>;
}): () => Promise<void> {
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= rotateKeys(options.db, options.rotation)
      .catch((error: unknown) => options.log.error({ err: error }, 'the signing keys could not be rotated'))
      .then(() => sweep(options.db, options.now))
      .catch((error: unknown) => options.log.warn({ err: error }, 'old rows could not be deleted'))
      .then(async () => void (await options.deleteDue()))
      .catch((error: unknown) => options.log.error({ err: error }, 'an account could not be deleted'))
      .finally(() => {
        sweeping = undefined;
      });
  }, options.every);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await sweeping;
  };
}
