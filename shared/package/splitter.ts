import type { Finding } from '../entities/finding.ts';
import { type FindingCode, finding } from './finding-codes.ts';
import { inMegabytes, type PackageLimits } from './package.ts';
import type { Origin } from './report.ts';

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

/** Where a scan of bytes stands: lines and columns as editors count them, in UTF-16 units. */
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

/** How far the inside of an item has been read. */
type ItemState = { depth: number; isInText: boolean; isEscaped: boolean };

/** Moves on over a byte. */
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
 * Reads on inside an item, from its first byte or where the last chunk ended. Answers the offset after its last byte
 * here, and whether the item ends with it. It ends where its brackets close, or before a comma or the list's end.
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
