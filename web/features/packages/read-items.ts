import { checkPackage } from '../../../shared/package/check-package.ts';
import type { PackageLimits } from '../../../shared/package/limits.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import { fingerprint } from './fingerprint.ts';
import type { PackageItem } from './package-item.ts';

type Reading = {
  /** Place of the file among those that are read. */
  place: number;
  limits: PackageLimits;
  /** Told of each piece of the file as it is read, in bytes. */
  onBytes: (bytes: number) => void;
};

const BEGINNING = { line: 1, column: 1, pointer: '' };

/** The packages of a file, one after another; the file is never held as a whole. */
export async function* readItems(
  file: File,
  { place, limits, onBytes }: Reading,
): AsyncGenerator<PackageItem, void, undefined> {
  const nothing = {
    file: place,
    fileName: file.name,
    content: new Blob(),
    fingerprint: '',
    origin: BEGINNING,
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
        ...checkPackage(bytes, { limits, origin }),
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
