import type { Finding } from '../entities/finding.ts';
import { type FindingCode, finding } from './finding-codes.ts';
import { inMegabytes, type PackageLimits } from './package.ts';
import type { Origin } from './report.ts';

/** The bytes of one package and its position in the file: the `origin` for `checkPackage`. */
export type PackageBytes = { index: number; bytes: Uint8Array } & Required<Origin>;

/** The finding of a part of the file that cannot be split into packages. */
export type PackageError = { index: number; finding: Finding };

/** State of splitting a file. */
export type Splitter = Scan & {
  limits: Pick<PackageLimits, 'fileBytes' | 'batchItems'>;
  /**
   * `start`: only white space so far. `whole`: the file is no array. `first`: after the opening bracket. `item`: after a
   * comma. `reading`: inside an item. `after`: after an item. `end`: after the array. `broken`: after an error.
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

/** Starts an item at the next byte. */
export function beginItem(splitter: Splitter): void {
  splitter.begin = { line: splitter.line, column: splitter.column };
  splitter.item = { depth: 0, isInText: false, isEscaped: false };
  splitter.parts = [];
  splitter.size = 0;
  splitter.phase = 'reading';
}

/** Stores bytes of the item; if it is too large, they are only counted. */
export function take(splitter: Splitter, bytes: Uint8Array): void {
  splitter.size += bytes.length;
  if (splitter.size <= splitter.limits.fileBytes) splitter.parts.push(bytes.slice());
  else splitter.parts = [];
}

/** Returns the item, or the finding that it is too large. */
export function endItem(splitter: Splitter): PackageBytes | PackageError {
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

/** Returns the error of the array at the current position, and ends the splitting. */
export function abort(
  splitter: Splitter,
  code: FindingCode,
  params: Readonly<Record<string, string>> = {},
): PackageError {
  const { index, line, column } = splitter;
  splitter.phase = 'broken';
  return { index, finding: finding(code, { pointer: `/${index}`, line, column }, params) };
}

/** Current line and column, both from 1; columns count UTF-16 units like editors. */
type Scan = { line: number; column: number };

export const BYTE = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  hash: 0x23,
  comma: 0x2c,
  slash: 0x2f,
  listOpen: 0x5b,
  backslash: 0x5c,
  listClose: 0x5d,
  objectOpen: 0x7b,
  objectClose: 0x7d,
} as const;

/** State of scanning an item. */
type ItemState = { depth: number; isInText: boolean; isEscaped: boolean };

/** Advances line and column by one byte. */
export function pass(scan: Scan, byte: number): void {
  if (byte === BYTE.newline) {
    scan.line += 1;
    scan.column = 1;
  } else if (byte < 0x80 || (byte >= 0xc0 && byte < 0xf0)) scan.column += 1;
  else if (byte >= 0xf0) scan.column += 2;
}

export function isSpace(byte: number): boolean {
  return byte === BYTE.space || byte === BYTE.newline || byte === BYTE.return || byte === BYTE.tab;
}

/**
 * Scans an item up to its end or the end of the chunk. An item ends where its brackets close, or before a comma or the
 * closing bracket of the array.
 * @returns the offset after its last byte in this chunk, and whether the item is complete
 */
export function readOn(
  chunk: Uint8Array,
  from: number,
  state: ItemState,
  scan: Scan,
): { end: number; isDone: boolean } {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (state.isInText) {
      if (state.isEscaped) state.isEscaped = false;
      else if (byte === BYTE.backslash) state.isEscaped = true;
      else if (byte === BYTE.quote) state.isInText = false;
    } else if (byte === BYTE.quote) state.isInText = true;
    else if (byte === BYTE.objectOpen || byte === BYTE.listOpen) state.depth += 1;
    else if (state.depth === 0) {
      if (byte === BYTE.comma || byte === BYTE.listClose) return { end: at, isDone: true };
    } else if (byte === BYTE.objectClose || byte === BYTE.listClose) {
      state.depth -= 1;
      if (state.depth === 0) {
        pass(scan, byte);
        return { end: at + 1, isDone: true };
      }
    }
    pass(scan, byte);
  }
  return { end: chunk.length, isDone: false };
}
