import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finding } from '../../../../shared/package/finding-codes.ts';
import type { FileStore } from './files.ts';
import { perUserQueue, type Turn } from './limiter.ts';
import { mediaError } from './pictures.ts';
import type { Release } from './release.ts';
import { openThread } from './thread.ts';
import type { CheckedVideo, VideoTask } from './video-worker.ts';

/** A row of `stored_file`: an unchanged video or package, named by the SHA-256 of its bytes. */
export type StoredFile = {
  key: string;
  extension: 'mp4' | 'webm' | 'json';
  mime_type: string;
  bytes: number;
  /** Of a package: SHA-256 and size of what users download; absent until they are known. */
  release_key?: string;
  release_bytes?: number;
};

/** A file that is ready to be stored, by its bytes or by its path. */
export type PreparedFile = { file: StoredFile; content: Uint8Array | string };

/** Prepares a checked package. Its `.json` name is not served by the media route. */
export function preparePackage(content: Uint8Array, release?: Release | null): PreparedFile {
  const key = createHash('sha256').update(content).digest('hex');
  return packageFile({ key, bytes: content.length, release: release ?? null }, content);
}

/** Prepares a checked package whose SHA-256 is known. */
export function packageFile(
  { key, bytes, release }: { key: string; bytes: number; release: Release | null },
  content: Uint8Array | string,
): PreparedFile {
  const released = release && { release_key: release.key, release_bytes: release.bytes };
  return { file: { key, extension: 'json', mime_type: 'application/json', bytes, ...released }, content };
}

export function storedName({ key, extension }: Pick<StoredFile, 'key' | 'extension'>): string {
  return `${key}.${extension}`;
}

/**
 * Stores a prepared file durably; the caller inserts the row.
 * @throws STORAGE_FULL
 */
export async function storeFile(files: FileStore, { file, content }: PreparedFile): Promise<StoredFile> {
  await files.put(storedName(file), typeof content === 'string' ? chunksOf(content) : content);
  return file;
}

/** Opens the file with the first read, so that no handle stays open if nothing is read. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Maximum number of waiting videos: of one user, and of all. */
const WAITING_EACH = 10;
const WAITING = 100;
/** Milliseconds of CPU time for one video; the largest valid one needs less than one second. */
const WORK_LIMIT = 5000;
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Checks uploaded videos outside of the main thread. */
export type Videos = {
  /**
   * Checks an uploaded video and computes its hash; nothing is stored.
   * @param path of the upload
   * @throws VIDEO_FORMAT, VIDEO_DAMAGED, VIDEO_TOO_LARGE with the finding; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE; the signal's reason
   */
  prepare(path: string, turn: Turn & { pointer?: string }): Promise<PreparedFile>;
  close(): Promise<void>;
};

export function openVideos({ onLateFailure }: { onLateFailure?: (error: unknown) => void } = {}): Videos {
  const runLimited = perUserQueue({ size: 1, waiting: WAITING, waitingEach: WAITING_EACH });
  const thread = openThread<VideoTask, CheckedVideo>({
    module: new URL('video-worker.ts', import.meta.url),
    task: 'checkVideoFile',
    workLimit: WORK_LIMIT,
    memoryLimit: MEMORY_LIMIT,
    onLateFailure,
  });
  return {
    async prepare(path, { pointer = '', ...turn }) {
      const worked = await runLimited(turn, () => thread.run({ path, pointer }, turn.signal));
      const checked: CheckedVideo =
        'answer' in worked ? worked.answer : { found: finding('VIDEO_FORMAT', { pointer }) };
      if ('found' in checked) throw mediaError(checked.found, 'VIDEO_FORMAT');
      const { kind, bytes, sha256: key } = checked;
      const { extension, mime_type } = kind;
      return { file: { key, extension, mime_type, bytes }, content: path };
    },
    close: () => thread.close(),
  };
}
