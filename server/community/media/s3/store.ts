import { setTimeout as delay } from 'node:timers/promises';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { startError } from '../../../database/errors.ts';
import type { Log } from '../../../database/pool.ts';
import { assertFileName, type FileStore, isFileName } from '../files.ts';
import { abortLeftUploads, type Bucket, objectsBelow, openBucket } from './bucket.ts';
import {
  isMissing,
  isRefusal,
  openS3Client,
  S3_TIMEOUTS,
  type S3Settings,
  type S3Timeouts,
} from './client.ts';

const CONTENT = 'files/';
const MARK = 'removing/';

type S3StoreOptions = {
  settings: S3Settings;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  timeouts?: S3Timeouts;
};

/** A store in a bucket, for any number of machines. */
type S3Store = FileStore & {
  /** Connections end. */
  close(): void;
};

/**
 * Opens the store in a bucket that is there already. One that cannot be reached now may be there later: the log says so.
 * @throws start error when the store refuses: no such bucket, no such key, no right
 */
export async function openS3Store(options: S3StoreOptions): Promise<S3Store> {
  const { settings, log, now, timeouts = S3_TIMEOUTS } = options;
  const client = openS3Client(settings, timeouts);
  const where = { client, bucket: settings.bucket };
  const bucket = openBucket(client, settings.bucket);
  try {
    await client.send(new HeadBucketCommand({ Bucket: settings.bucket }));
  } catch (error) {
    if (isMissing(error) || isRefusal(error)) throw startError(refused(settings, error), error);
    log.warn({ err: error }, 'the file store cannot be reached');
  }
  return {
    put: async (name, content) => putUnlessYoung(bucket, keysOf(name), { content, now }),
    async get(name) {
      const { content } = keysOf(name);
      const found = await bucket.find(content);
      return (
        found && {
          bytes: found.bytes,
          stream: (range) => bucket.read(content, range),
          close: async () => undefined,
        }
      );
    },
    has: async (name) => (await bucket.find(keysOf(name).content)) !== undefined,
    async *list() {
      for await (const { key, ...rest } of objectsBelow(where, CONTENT)) {
        const name = key.slice(CONTENT.length);
        if (isFileName(name)) yield { name, ...rest };
      }
    },
    remove: async (name, before) => removeUnlessPutSince(bucket, keysOf(name), before),
    async removeDrafts(before, { dryRun = false } = {}) {
      for await (const { key, putAt } of objectsBelow(where, MARK))
        if (!dryRun && putAt < before) await bucket.delete(key);
      return abortLeftUploads(where, { before, dryRun });
    },
    close: () => client.destroy(),
  };
}

function keysOf(name: string): Keys {
  assertFileName(name);
  return { content: CONTENT + name, mark: MARK + name };
}

function refused({ endpoint, bucket }: S3Settings, error: unknown): string {
  const said = error instanceof Error ? error.name : String(error);
  return (
    `The bucket ${bucket} at ${endpoint} cannot be used (${said}). ` +
    'Look at S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY; the bucket must be there.'
  );
}

/** An object this young, milliseconds, needs no renewal: what may be removed is far older. */
const YOUNG = 60 * 60 * 1000;
/** Longer than any request of a removal may take, milliseconds: an older mark was left by a killed program. */
const MARK_AGE = 2 * 60 * 1000;
const POLL = 100;

/** The same file in its two roles: its content, and the mark that somebody is about to remove it. */
type Keys = { content: string; mark: string };

type Content = Uint8Array | AsyncIterable<Uint8Array>;
type Clock = () => number;

/**
 * Writes what is missing and renews what is old. A store knows no renaming, so who removes puts up a mark first, looks
 * at the object's age, deletes, and takes the mark down. Who finds a mark after having looked at the object waits for
 * the end and looks again: nothing that was found or written here is deleted by one that had looked before.
 */
async function putUnlessYoung(
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
async function removeUnlessPutSince(bucket: Bucket, keys: Keys, before: Date): Promise<boolean> {
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
