import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../http/repeat.ts';
import { type Rotation, rotateKeys } from './keys/key-ring.ts';
import type { IdentityDb } from './schema.ts';
import { deleteExpiredRows } from './store.ts';

type CleanUp = {
  db: IdentityDb;
  now: () => number;
  /** Milliseconds between two rounds, and before the first. */
  every: number;
  rotation: Rotation;
  log: FastifyBaseLogger;
  deleteDue: () => Promise<unknown>;
};

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
