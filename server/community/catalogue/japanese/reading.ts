import type { FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import type { JapaneseReader } from './reader.ts';
import { giveBack, type JapaneseName, keepReadings, takeUnread } from './store.ts';

/** Names that are read at a time. */
const BATCH = 1000;
/** Milliseconds between two batches, which the index can follow, and between two looks for names that nobody has read. */
const PAUSE = { batch: 1000, idle: 10_000 } as const;
/** Milliseconds after which names are read whose reader has stopped, and the longest pause after failures. */
const LEASE = 10 * 60_000;

type Reading = { db: Db; japanese: Pick<JapaneseReader, 'readNames'>; now: () => number };

/**
 * Reads the next names, without a connection to the database meanwhile. Their plugins are indexed again after that.
 * @returns how many they were
 * @throws if they cannot be read now
 */
export async function readNextNames({ db, japanese, now }: Reading): Promise<number> {
  const at = now();
  const unread = await takeUnread(db, { at: new Date(at), lease: new Date(at + LEASE), limit: BATCH });
  if (unread.length === 0) return 0;
  const readings = await readOrGiveBack({ db, japanese, now }, unread);
  await keepReadings(
    db,
    unread.map((name, index) => ({ ...name, readings: readings[index] ?? [] })),
  );
  return unread.length;
}

async function readOrGiveBack(
  { db, japanese, now }: Reading,
  unread: readonly JapaneseName[],
): Promise<string[][]> {
  try {
    return await japanese.readNames(unread.map(({ name }) => name));
  } catch (error) {
    await giveBack(db, unread, new Date(now()));
    throw error;
  }
}

/** Reads names while the app listens. */
export function readNamesRegularly(app: FastifyInstance): void {
  const { db, clock: now, log } = app;
  const { japanese } = app.community;
  repeatWhileListening(app, {
    every: PAUSE.idle,
    first: PAUSE.idle,
    longest: LEASE,
    log,
    failed: 'Japanese names cannot be read',
    recovered: 'Japanese names are read again',
    async run() {
      return PAUSE[(await readNextNames({ db, japanese, now })) === BATCH ? 'batch' : 'idle'];
    },
  });
}
