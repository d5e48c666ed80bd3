import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finding } from '../../../shared/package/finding-codes.ts';
import type { FileStore } from './files.ts';
import { limitFairly, type Turn } from './limiter.ts';
import { refusal } from './prepare-picture.ts';
import { openThread } from './thread.ts';
import type { CheckedVideo, VideoTask } from './video-worker.ts';

/** A video or a package as its row has it: stored as it came, named by the SHA-256 of its bytes. */
export type KeptFile = { key: string; extension: 'mp4' | 'webm' | 'json'; mime_type: string; bytes: number };

/** A file ready to be stored: where its bytes are. */
export type PreparedFile = { file: KeptFile; content: Uint8Array | string };

/** A package that has passed its check, as the file it becomes. Its name is none that media are served by. */
export function preparePackage(content: Uint8Array): PreparedFile {
  return packageFile(createHash('sha256').update(content).digest('hex'), content.length, content);
}

/** The same of one whose hash is known, by its bytes or by the file they lie in. */
export function packageFile(key: string, bytes: number, content: Uint8Array | string): PreparedFile {
  return { file: { key, extension: 'json', mime_type: 'application/json', bytes }, content };
}

export function storedName({ key, extension }: Pick<KeptFile, 'key' | 'extension'>): string {
  return `${key}.${extension}`;
}

/**
 * Keeps a prepared file. It is durable when this resolves; the row is the caller's to write.
 * @throws STORAGE_FULL
 */
export async function storeFile(files: FileStore, { file, content }: PreparedFile): Promise<KeptFile> {
  await files.put(storedName(file), typeof content === 'string' ? chunksOf(content) : content);
  return file;
}

/** Opens the file when the first chunk is asked for, so that nothing stays open when none is. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

/** Videos that may wait for their turn: of one user, and of all. */
const WAITING_EACH = 10;
const WAITING = 100;
/** Milliseconds of processor time that one video may take; the largest that is honest takes less than one second. */
const WORK_LIMIT = 5000;
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** Checks uploaded videos away from the thread that answers requests. */
export type Videos = {
  /**
   * Checks an uploaded video and takes its hash; nothing is stored.
   * @param path where the upload lies
   * @throws VIDEO_FORMAT, VIDEO_TOO_LARGE with the finding; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE; the signal's reason
   */
  prepare(path: string, turn: Turn & { pointer?: string }): Promise<PreparedFile>;
  close(): Promise<void>;
};

export function openVideos({ onLateFailure }: { onLateFailure?: (error: unknown) => void } = {}): Videos {
  const runLimited = limitFairly({ size: 1, waiting: WAITING, waitingEach: WAITING_EACH });
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
      if ('found' in checked) throw refusal(checked.found, 'VIDEO_FORMAT');
      const { kind, bytes, sha256: key } = checked;
      const { extension, mime_type } = kind;
      return { file: { key, extension, mime_type, bytes }, content: path };
    },
    close: () => thread.close(),
  };
}
