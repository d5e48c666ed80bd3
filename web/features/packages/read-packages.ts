import { useEffect, useRef, useState } from 'react';
import type { PackageReading } from '../../../shared/package/package.ts';
import { useSite } from '../../api/site-context.ts';
import type { KnownHosts, PackageItem, WorkerMessage, WorkerRequest } from './package-item.ts';

/** The packages read; `isCut` when the files have more than requested. */
type PackagesRead = { items: PackageItem[]; isCut: boolean };

/**
 * Reads packages with progress (0 to 1); stops when the page is left or on cancel. Reading again cancels the previous
 * run.
 */
export function usePackageReader() {
  const [progress, setProgress] = useState<number>();
  const hosts = useKnownHosts();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Up to `most` packages; `failed` when the worker crashed. */
  const read = async (
    files: readonly File[],
    most: number,
  ): Promise<PackagesRead | 'cancelled' | 'failed'> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setProgress(0);
    const show = (share: number): void => {
      if (!signal.aborted) setProgress(share);
    };
    const found = await readPackages(files, { most, hosts, signal, onProgress: show }).catch(
      () => 'failed' as const,
    );
    if (running.current === controller) setProgress(undefined);
    return signal.aborted ? 'cancelled' : found;
  };
  const cancel = (): void => running.current?.abort();
  return { read, cancel, progress };
}

/** Design tools that packages may name on this site. */
export function useKnownHosts(): KnownHosts {
  return useSite().editors?.map(({ id }) => id);
}

/**
 * Checks a file with one package in a worker.
 * @throws the signal's reason when aborted, an Error when the file can't be read
 */
export async function readPackageFile(
  file: File,
  { hosts, signal }: { hosts: KnownHosts; signal: AbortSignal },
): Promise<PackageReading> {
  const { promise, resolve } = Promise.withResolvers<PackageReading>();
  const onMessage = (answer: WorkerMessage): boolean => {
    if (answer.kind === 'reading') resolve(answer.reading);
    return answer.kind === 'reading';
  };
  await runWorker({ kind: 'one', file, hosts }, onMessage, signal);
  return promise;
}

/** Splits files into their packages and checks each (R 6.14) in a worker. */
async function readPackages(
  files: readonly File[],
  {
    most,
    hosts,
    signal,
    onProgress,
  }: { most: number; hosts: KnownHosts; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<PackagesRead> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const read: PackagesRead = { items: [], isCut: false };
  let bytes = 0;
  const onMessage = (answer: WorkerMessage): boolean => {
    if (answer.kind === 'bytes') {
      bytes += answer.bytes;
      onProgress(total === 0 ? 1 : bytes / total);
    } else if (answer.kind === 'item') read.items.push(answer.item);
    else if (answer.kind === 'end') read.isCut = answer.isCut;
    return answer.kind === 'end';
  };
  await runWorker({ kind: 'many', files: [...files], most, hosts }, onMessage, signal);
  return read;
}

/**
 * Reads packages off the main thread, so that the page stays responsive. `hear` returns true after the last message it
 * needs. Aborting ends the worker immediately.
 * @throws the signal's reason; an Error when the worker crashed
 */
function runWorker(
  request: WorkerRequest,
  onMessage: (answer: WorkerMessage) => boolean,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./package-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.kind === 'failed') reject(new Error('The package could not be read.'));
    else if (onMessage(data)) resolve();
  });
  worker.addEventListener('error', () => reject(new Error('The package could not be checked.')));
  worker.postMessage(request);
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    worker.terminate();
  });
}
