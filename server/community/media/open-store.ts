import type { Log } from '../../database/log.ts';
import { type FileStore, openFolderStore } from './files.ts';
import type { S3Settings } from './s3/settings.ts';

export type StoreOptions = {
  dataDir: string;
  /** A bucket instead of the data folder. */
  s3?: S3Settings | undefined;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
};

/** A store and how it is let go of. */
export type OpenStore = { files: FileStore; close: () => void };

/**
 * Opens the store that is configured. What speaks to buckets is loaded only where there is one.
 * @throws start error when a bucket refuses
 */
export async function openFileStore({ dataDir, s3, log, now }: StoreOptions): Promise<OpenStore> {
  if (!s3) return { files: openFolderStore(dataDir), close: () => undefined };
  const { openS3Store } = await import('./s3/store.ts');
  const files = await openS3Store({ settings: s3, log, now });
  return { files, close: () => files.close() };
}
