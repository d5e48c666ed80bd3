import { setTimeout as delay } from 'node:timers/promises';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { startError } from '../../../../database/errors.ts';
import type { Log } from '../../../../database/pool.ts';
import { assertFileName, type FileStore, isFileName } from '../files.ts';
import { abortIncompleteUploads, type Bucket, listObjects, openBucket } from './bucket.ts';
import {
  isMissing,
  isRejection,
  type OnStoreError,
  openS3Client,
  reportErrors,
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
  /** Called for each failed request, after its retries. */
  onError?: OnStoreError | undefined;
};

type S3Store = FileStore & {
  close(): void;
};

/**
 * Opens the store in an existing bucket. An unreachable bucket is only logged, since it may be reachable later.
 * @throws start error if the store rejects the request: unknown bucket or key, missing permission
 */
export async function openS3Store(options: S3StoreOptions): Promise<S3Store> {
  const { settings, log, now, timeouts = S3_TIMEOUTS, onError } = options;
  const client = openS3Client(settings, timeouts);
  if (onError) reportErrors(client, onError);
  const where = { client, bucket: settings.bucket };
  const bucket = openBucket(client, settings.bucket);
  try {
    await client.send(new HeadBucketCommand({ Bucket: settings.bucket }));
  } catch (error) {
    if (isMissing(error) || isRejection(error)) throw startError(rejectionText(settings, error), error);
    log.warn({ err: error }, 'the file store cannot be reached');
  }
  return {
    put: async (name, content) => putOrRenew(bucket, keysOf(name), { content, now }),
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
    async *list(start = '') {
      for await (const { key, ...rest } of listObjects(where, CONTENT + start)) {
        const name = key.slice(CONTENT.length);
        if (isFileName(name)) yield { name, ...rest };
      }
    },
    remove: async (name, before) => removeUnlessPutSince(bucket, keysOf(name), before),
    async removeDrafts(before, { dryRun = false } = {}) {
      for await (const { key, putAt } of listObjects(where, MARK))
        if (!dryRun && putAt < before) await bucket.delete(key);
      return abortIncompleteUploads(where, { before, dryRun });
    },
    close: () => client.destroy(),
  };
}

function keysOf(name: string): Keys {
  assertFileName(name);
  return { content: CONTENT + name, mark: MARK + name };
}

function rejectionText({ endpoint, bucket }: S3Settings, error: unknown): string {
  const said = error instanceof Error ? error.name : String(error);
  return (
    `The bucket ${bucket} at ${endpoint} cannot be used (${said}). ` +
    'Look at S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY; the bucket must exist.'
  );
}

/** Milliseconds: younger objects need no renewal, since only far older ones are removed. */
const YOUNG = 60 * 60 * 1000;
/** Milliseconds: longer than any removal takes, so an older mark is from a killed process. */
const MARK_AGE = 2 * 60 * 1000;
const POLL = 100;

/** Keys of a file's content and of the mark that announces its removal. */
type Keys = { content: string; mark: string };

type Content = Uint8Array | AsyncIterable<Uint8Array>;
type Clock = () => number;

/**
 * Writes a missing object and renews an old one. S3 cannot rename, so a removal first writes a mark, then checks the age of
 * the object, deletes it, and deletes the mark. A writer that finds a mark after checking the object waits until it is
 * gone and checks again, so a removal never deletes what was found or written here.
 */
async function putOrRenew(
  bucket: Bucket,
  keys: Keys,
  { content, now }: { content: Content; now: Clock },
): Promise<void> {
  let isRenewed = false;
  for (let isSettled = false; ; ) {
    const found = await bucket.find(keys.content);
    // A renewed object is young, even if the clocks of this machine and of the store differ.
    const isYoung: boolean = found !== undefined && (isRenewed || found.putAt.getTime() > now() - YOUNG);
    if (isYoung && isSettled) return;
    if (found && !isYoung) await bucket.renew(keys.content);
    isRenewed ||= found !== undefined && !isYoung;
    const hasWaited = await waitForRemoval(bucket, keys, now);
    if (!found && !hasWaited) return bucket.write(keys.content, content);
    isSettled = isYoung && !hasWaited;
  }
}

/** @returns false for a file that was put since, or does not exist */
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
  for (let hasWaited = false; ; hasWaited = true) {
    const mark = await bucket.find(keys.mark);
    if (!mark || mark.putAt.getTime() < now() - MARK_AGE) return hasWaited;
    await delay(POLL);
  }
}
