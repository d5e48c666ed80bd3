import { compressSmallest, type SharedAnswer } from './shared-answer.ts';

/** Milliseconds between two: a tenth of a processor is what it may take. */
const PAUSE = 1000;

/** Tells `onFailed` why an answer could not be made smaller; what has been made before goes on being given. */
export type CompressLater = (answer: SharedAnswer, onFailed: (error: unknown) => void) => void;

/**
 * Compresses answers again, as small as they can be, after those who asked have got them. One at a time; what comes
 * meanwhile stays as it is until somebody asks for it again.
 */
export function createLaterCompression({ pause = PAUSE } = {}): CompressLater {
  const done = new WeakSet<SharedAnswer>();
  let isFree = true;

  const release = (): void => {
    setTimeout(() => {
      isFree = true;
    }, pause).unref();
  };
  return (answer, onFailed) => {
    if (!isFree || done.has(answer)) return;
    isFree = false;
    done.add(answer);
    compressSmallest(answer).catch(onFailed).finally(release);
  };
}
