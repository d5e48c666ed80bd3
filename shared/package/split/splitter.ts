import type { Finding } from '../../entities/finding.ts';
import { type FindingCode, finding } from '../finding-codes.ts';
import { inMegabytes, type PackageLimits } from '../limits.ts';
import type { Origin } from '../report.ts';
import type { ItemState, Scan } from './scan.ts';

/** One package of a file, with where it begins there: what `checkPackage` takes as its origin. */
export type PackageBytes = { index: number; bytes: Uint8Array } & Required<Origin>;

/** A place of the file that holds no package that can be read. */
export type PackageFault = { index: number; finding: Finding };

/** How far a file has been split. */
export type Splitter = Scan & {
  limits: Pick<PackageLimits, 'fileBytes' | 'batchItems'>;
  /**
   * `start`: nothing but space yet. `whole`: the file is no list. `first`: the list has begun. `item`: a comma was
   * read. `reading`: inside an item. `after`: an item has ended. `end`: the list has. `broken`: the rest is not read.
   */
  phase: 'start' | 'whole' | 'first' | 'item' | 'reading' | 'after' | 'end' | 'broken';
  isList: boolean;
  index: number;
  begin: Scan;
  item: ItemState;
  parts: Uint8Array[];
  size: number;
};

export function openSplitter(limits: Splitter['limits']): Splitter {
  return {
    limits,
    line: 1,
    column: 1,
    phase: 'start',
    isList: false,
    index: 0,
    begin: { line: 1, column: 1 },
    item: { depth: 0, isInText: false, isEscaped: false },
    parts: [],
    size: 0,
  };
}

/** Makes the next byte the first of an item. */
export function beginItem(splitter: Splitter): void {
  splitter.begin = { line: splitter.line, column: splitter.column };
  splitter.item = { depth: 0, isInText: false, isEscaped: false };
  splitter.parts = [];
  splitter.size = 0;
  splitter.phase = 'reading';
}

/** Keeps bytes of the item; those of one that is too large are counted only. */
export function take(splitter: Splitter, bytes: Uint8Array): void {
  splitter.size += bytes.length;
  if (splitter.size <= splitter.limits.fileBytes) splitter.parts.push(bytes.slice());
  else splitter.parts = [];
}

/** The item that was read, or why it is none. */
export function endItem(splitter: Splitter): PackageBytes | PackageFault {
  const { index, begin, parts, size, limits, isList } = splitter;
  const pointer = isList ? `/${index}` : '';
  splitter.index += 1;
  splitter.parts = [];
  if (size > limits.fileBytes) {
    const found = finding(
      'PACKAGE_TOO_LARGE',
      { pointer, ...begin },
      { size: inMegabytes(limits.fileBytes) },
    );
    return { index, finding: found };
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { index, bytes, ...begin, pointer };
}

/** The fault of the list itself at the place that was reached; nothing after it is read. */
export function breakOff(
  splitter: Splitter,
  code: FindingCode,
  params: Readonly<Record<string, string>> = {},
): PackageFault {
  const { index, line, column } = splitter;
  splitter.phase = 'broken';
  return { index, finding: finding(code, { pointer: `/${index}`, line, column }, params) };
}
