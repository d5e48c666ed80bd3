import type { FastifyInstance } from 'fastify';
import { MISSED_DAYS, MISSED_SHOWN_FROM } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import { addMissed, deleteOldMissed, readMissed } from './store.ts';

/** Milliseconds between two writes. */
const WRITE_INTERVAL = 10_000;
/** Unwritten keywords in memory; more are not counted, so that a flood exhausts nothing. */
const UNWRITTEN_MAX = 500;
/** Longer keywords are texts that were pasted. */
const LENGTH_MAX = 40;
/** Addresses and numbers may tell who searched. */
const PERSONAL = /[@:/\\]|\d{5}/;

/** Whether a keyword may be counted: short enough to be one, and without what may tell who searched. */
export function isImpersonal(keyword: string): boolean {
  return [...keyword].length <= LENGTH_MAX && !PERSONAL.test(keyword);
}

/** Keywords that found nothing, counted without who searched them. */
export type MissedSearches = {
  /** @param keyword folded */
  note(keyword: string): void;
  /** Returns the counts since the last call. */
  take(): Map<string, number>;
  /** Keeps counts that could not be written for the next `take`. */
  putBack(counts: ReadonlyMap<string, number>): void;
};

export function createMissedSearches(): MissedSearches {
  let unwritten = new Map<string, number>();
  const add = (keyword: string, count: number): void => {
    if (!unwritten.has(keyword) && unwritten.size >= UNWRITTEN_MAX) return;
    unwritten.set(keyword, (unwritten.get(keyword) ?? 0) + count);
  };
  return {
    note(keyword) {
      if (isImpersonal(keyword)) add(keyword, 1);
    },
    take() {
      const taken = unwritten;
      unwritten = new Map();
      return withoutBeginnings(taken);
    },
    putBack(counts) {
      for (const [keyword, count] of counts) add(keyword, count);
    },
  };
}

/** Who types "calendar" also searched for "cal", "calen" and "calenda". */
function withoutBeginnings(counts: ReadonlyMap<string, number>): Map<string, number> {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.filter(([keyword], at) => !sorted[at + 1]?.[0].startsWith(keyword)));
}

/** What people search for and do not find, for administrators; written regularly while the app listens, once more on close. */
export function missedSearchesRoutes(app: FastifyInstance, missed: MissedSearches): void {
  const { db, clock: now, log } = app;
  implement(app, contract.listMissedSearches, async () => ({
    missed_list: await readMissed(db, { least: MISSED_SHOWN_FROM, days: MISSED_DAYS, now: new Date(now()) }),
  }));
  repeatWhileListening(app, {
    every: WRITE_INTERVAL,
    first: WRITE_INTERVAL,
    onceMore: true,
    log,
    failed: 'searches without a result could not be written',
    recovered: 'searches without a result are written again',
    async run() {
      await writeMissed(app, missed);
    },
  });
}

/** Writes the counts since the last call. */
export async function writeMissed(
  { db, clock: now }: Pick<FastifyInstance, 'db' | 'clock'>,
  missed: MissedSearches,
): Promise<void> {
  const taken = missed.take();
  const at = new Date(now());
  try {
    if (taken.size > 0) await addMissed(db, taken, at);
  } catch (error) {
    missed.putBack(taken);
    throw error;
  }
  await deleteOldMissed(db, { days: MISSED_DAYS, now: at });
}
