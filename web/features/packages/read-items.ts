import { checkPackage } from '../../../shared/package/check-package.ts';
import type { PackageLimits } from '../../../shared/package/package.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import type { KnownHosts, PackageItem } from './package-item.ts';

type Reading = {
  fileIndex: number;
  limits: PackageLimits;
  hosts?: KnownHosts;
  /** Called with the size in bytes of each chunk read. */
  onBytes: (bytes: number) => void;
};

const FILE_START = { line: 1, column: 1, pointer: '' };

/** The packages of a file, one after another; the file is never held in memory as a whole. */
export async function* readItems(
  file: File,
  { fileIndex, limits, hosts, onBytes }: Reading,
): AsyncGenerator<PackageItem, void, undefined> {
  const nothing = {
    file: fileIndex,
    fileName: file.name,
    content: new Blob(),
    fingerprint: '',
    origin: FILE_START,
    package: null,
    isCutOff: false,
  };
  let index = 0;
  try {
    for await (const found of packagesIn(chunksOf(file, onBytes), limits)) {
      index = found.index;
      if ('finding' in found) {
        yield { ...nothing, index, content: file, findings: [found.finding] };
        continue;
      }
      const { bytes, line, column, pointer } = found;
      const origin = { line, column, pointer };
      yield {
        ...nothing,
        ...checkPackage(bytes, { limits, origin, ...(hosts && { hosts }) }),
        index,
        content: new Blob([new Uint8Array(bytes)], { type: 'application/json' }),
        fingerprint: fingerprint(bytes),
        origin,
      };
      index += 1;
    }
  } catch {
    yield { ...nothing, index, findings: [], isCutOff: true };
  }
}

async function* chunksOf(file: File, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      onBytes(step.value.length);
      yield step.value;
    }
  } finally {
    await reader.cancel();
  }
}

const PRIMES = [0x01000193, 0x85ebca6b] as const;
const START = 0x811c9dc5;

/**
 * A short hash to compare packages on screen; the service only trusts SHA-256, which isn't available to pages on plain
 * http.
 */
export function fingerprint(bytes: Uint8Array): string {
  let first = START;
  let second = START ^ bytes.length;
  for (const byte of bytes) {
    first = Math.imul(first ^ byte, PRIMES[0]);
    second = Math.imul(second ^ byte, PRIMES[1]) + first;
  }
  return [first, second, bytes.length].map((part) => (part >>> 0).toString(16)).join('-');
}
