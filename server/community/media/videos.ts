import { finding } from '../../../shared/package/finding-codes.ts';
import { limitFairly, type Turn } from './limiter.ts';
import { refusal } from './refusal.ts';
import type { PreparedFile } from './stored-files.ts';
import { openThread } from './thread.ts';
import type { CheckedVideo, VideoTask } from './video-worker.ts';

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
