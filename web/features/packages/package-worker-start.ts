import type { WorkerAnswer, WorkerRequest } from './package-messages.ts';

/**
 * Reads packages beside the page, so that it stays alive whatever is in them; `hear` answers true when it has heard
 * enough. Aborting ends the reading at once.
 * @throws the signal's reason; an Error when the worker cannot go on
 */
export function askWorker(
  request: WorkerRequest,
  hear: (answer: WorkerAnswer) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./package-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
    if (data.kind === 'failed') reject(new Error('The package could not be read.'));
    else if (hear(data)) resolve();
  });
  worker.addEventListener('error', () => reject(new Error('The package could not be checked.')));
  worker.postMessage(request);
  return promise.finally(() => {
    signal?.removeEventListener('abort', abort);
    worker.terminate();
  });
}
