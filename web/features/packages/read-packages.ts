import type { PackageReading } from '../../../shared/package/package.ts';
import type { PackageItem } from './package-item.ts';
import { askWorker } from './package-worker-start.ts';

type Options = {
  signal?: AbortSignal;
  /** Share of the bytes that is read, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Told of each package as soon as it is checked. */
  onItem?: (item: PackageItem) => void;
  /** Packages that are wanted at most. */
  most: number;
};

/** What was read; `isCut` when the files hold more than was wanted. */
export type PackagesRead = { items: PackageItem[]; isCut: boolean };

/**
 * Splits files into their packages and checks each (design section 7), in a worker.
 * @throws the signal's reason when aborted, an Error when the worker cannot go on
 */
export async function readPackages(
  files: readonly File[],
  { signal, onProgress, onItem, most }: Options,
): Promise<PackagesRead> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const read: PackagesRead = { items: [], isCut: false };
  let bytes = 0;
  await askWorker(
    { kind: 'many', files: [...files], most },
    (answer) => {
      if (answer.kind === 'bytes') {
        bytes += answer.bytes;
        onProgress?.(total === 0 ? 1 : bytes / total);
      } else if (answer.kind === 'item') {
        read.items.push(answer.item);
        onItem?.(answer.item);
      } else if (answer.kind === 'end') read.isCut = answer.isCut;
      return answer.kind === 'end';
    },
    signal,
  );
  return read;
}

/**
 * Checks a file that should be one package, in a worker.
 * @throws the signal's reason when aborted, an Error when the file cannot be read
 */
export async function readPackageFile(file: File, signal?: AbortSignal): Promise<PackageReading> {
  const { promise, resolve } = Promise.withResolvers<PackageReading>();
  await askWorker(
    { kind: 'one', file },
    (answer) => {
      if (answer.kind === 'reading') resolve(answer.reading);
      return answer.kind === 'reading';
    },
    signal,
  );
  return promise;
}
