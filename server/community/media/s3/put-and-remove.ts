import { setTimeout as delay } from 'node:timers/promises';
import type { Bucket } from './bucket.ts';

/** An object this young, milliseconds, needs no renewal: what may be removed is far older. */
const YOUNG = 60 * 60 * 1000;
/** Longer than any request of a removal may take, milliseconds: an older mark was left by a killed program. */
const MARK_AGE = 2 * 60 * 1000;
const POLL = 100;

/** The same file in its two roles: its content, and the mark that somebody is about to remove it. */
export type Keys = { content: string; mark: string };

export type Content = Uint8Array | AsyncIterable<Uint8Array>;
type Clock = () => number;

/**
 * Writes what is missing and renews what is old. A store knows no renaming, so who removes puts up a mark first, looks
 * at the object's age, deletes, and takes the mark down. Who finds a mark after having looked at the object waits for
 * the end and looks again: nothing that was found or written here is deleted by one that had looked before.
 */
export async function putUnlessYoung(
  bucket: Bucket,
  keys: Keys,
  { content, now }: { content: Content; now: Clock },
): Promise<void> {
  let isRenewed = false;
  for (let isSettled = false; ; ) {
    const found = await bucket.find(keys.content);
    // Once renewed it is young, whatever this machine's clock says.
    const isYoung: boolean = found !== undefined && (isRenewed || found.putAt.getTime() > now() - YOUNG);
    if (isYoung && isSettled) return;
    if (found && !isYoung) await bucket.renew(keys.content);
    isRenewed ||= found !== undefined && !isYoung;
    const hadToWait = await waitForRemoval(bucket, keys, now);
    if (!found && !hadToWait) return bucket.write(keys.content, content);
    isSettled = isYoung && !hadToWait;
  }
}

/** @returns false when it was put since, or is gone */
export async function removeUnlessPutSince(bucket: Bucket, keys: Keys, before: Date): Promise<boolean> {
  if (!(await isOlder(bucket, keys, before))) return false;
  await bucket.write(keys.mark, new Uint8Array());
  try {
    if (!(await isOlder(bucket, keys, before))) return false;
    await bucket.delete(keys.content);
    return true;
  } finally {
    await bucket.delete(keys.mark);
  }
}

async function isOlder(bucket: Bucket, keys: Keys, before: Date): Promise<boolean> {
  const found = await bucket.find(keys.content);
  return found !== undefined && found.putAt < before;
}

async function waitForRemoval(bucket: Bucket, keys: Keys, now: Clock): Promise<boolean> {
  for (let hadToWait = false; ; hadToWait = true) {
    const mark = await bucket.find(keys.mark);
    if (!mark || mark.putAt.getTime() < now() - MARK_AGE) return hadToWait;
    await delay(POLL);
  }
}
