import type { FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { visitorOrCaller } from '../auth/caller.ts';
import { addActive, deleteInactive } from './store.ts';

/** Milliseconds between two writes. */
const WRITE_INTERVAL = 10_000;
/** Accounts in memory; more are not noted, so that a flood exhausts nothing while the database is down. */
const ACCOUNTS_MAX = 200_000;
const DAY = 24 * 60 * 60 * 1000;

/** Accounts that were used today: each of them is written once. */
export type Activity = {
  note(userId: number): void;
  /** Writes what was noted since the last call; what could not be written is kept for the next one. */
  write(db: Db): Promise<void>;
};

/** @param now milliseconds since 1970 */
export function createActivity(now: () => number): Activity {
  let day = 0;
  let known = new Set<number>();
  let unwritten = new Set<number>();
  return {
    note(userId) {
      const today = Math.floor(now() / DAY);
      if (today !== day) {
        day = today;
        known = new Set();
      }
      if (known.has(userId) || known.size >= ACCOUNTS_MAX || unwritten.size >= ACCOUNTS_MAX) return;
      known.add(userId);
      unwritten.add(userId);
    },
    async write(db) {
      if (unwritten.size === 0) return;
      const taken = unwritten;
      unwritten = new Set();
      try {
        await addActive(db, [...taken], new Date(now()));
      } catch (error) {
        for (const userId of taken) unwritten.add(userId);
        throw error;
      }
    },
  };
}

/**
 * Notes which accounts use the site or a tool: every call of theirs counts, except what open pages ask by themselves, and
 * what programs publish with a token.
 */
export function noteActivity(app: FastifyInstance): void {
  const { db, clock: now, log } = app;
  const activity = createActivity(now);
  app.addHook('onRequest', (request, _reply, done) => {
    const { route } = request.routeOptions.config;
    // Tools ask for what is installed by themselves, but only while somebody uses them.
    const isUse = route !== undefined && (!route.background || route.client);
    const caller = isUse ? visitorOrCaller(request) : null;
    if (caller && !caller.token) activity.note(caller.user_id);
    done();
  });
  repeatWhileListening(app, {
    every: WRITE_INTERVAL,
    first: WRITE_INTERVAL,
    onceMore: true,
    log,
    failed: 'active accounts could not be written',
    recovered: 'active accounts are written again',
    async run() {
      await activity.write(db);
      await deleteInactive(db, new Date(now()));
    },
  });
}
