import { useEffect, useRef, useState } from 'react';
import { type PackagesRead, readPackages } from './read-packages.ts';

/** Reads packages on a page: how far it has come, and its end when the page is left or the reader is cancelled. */
export function usePackageReader() {
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** What was read; `failed` when the worker could not go on. */
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
    const found = await readPackages(files, { signal, most, onProgress: show }).catch(
      () => 'failed' as const,
    );
    if (running.current === controller) setProgress(undefined);
    return signal.aborted ? 'cancelled' : found;
  };
  const cancel = (): void => running.current?.abort();
  return { read, cancel, progress };
}
