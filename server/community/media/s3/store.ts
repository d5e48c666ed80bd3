import { HeadBucketCommand } from '@aws-sdk/client-s3';
import type { Log } from '../../../database/log.ts';
import { startError } from '../../../database/start-error.ts';
import { assertFileName, isFileName } from '../file-name.ts';
import type { FileStore } from '../files.ts';
import { openBucket } from './bucket.ts';
import { openS3Client } from './client.ts';
import { isMissing, isRefusal } from './failure.ts';
import { abortLeftUploads, objectsBelow } from './listing.ts';
import { type Keys, putUnlessYoung, removeUnlessPutSince } from './put-and-remove.ts';
import { S3_TIMEOUTS, type S3Settings, type S3Timeouts } from './settings.ts';

const CONTENT = 'files/';
const MARK = 'removing/';

export type S3StoreOptions = {
  settings: S3Settings;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  timeouts?: S3Timeouts;
};

/** A store in a bucket, for any number of machines. */
export type S3Store = FileStore & {
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
