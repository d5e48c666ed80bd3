import { characterAt } from './json/syntax-error.ts';
import {
  abort,
  BYTE,
  beginItem,
  endItem,
  isSpace,
  openSplitter,
  type PackageBytes,
  type PackageError,
  pass,
  readOn,
  type Splitter,
  take,
} from './splitter.ts';

type Step = { at: number; out?: PackageBytes | PackageError | undefined };

/**
 * Splits a file into packages, with one of them in memory at a time. A file with a JSON array yields its items, any other
 * file is one package. Only brackets and strings are recognised here; `checkPackage` validates the items. A syntax error
 * of the array itself yields a finding and ends the file.
 */
export async function* packagesIn(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: Splitter['limits'],
): AsyncGenerator<PackageBytes | PackageError> {
  const splitter = openSplitter(limits);
  for await (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) {
      const step = STEPS[splitter.phase](splitter, chunk, at);
      at = step.at;
      if (step.out) yield step.out;
    }
  }
  const last = finish(splitter);
  if (last) yield last;
}

/** Handlers by phase; each one consumes at least one byte or changes the phase. */
const STEPS: Readonly<Record<Splitter['phase'], (s: Splitter, chunk: Uint8Array, at: number) => Step>> = {
  start: readStart,
  whole: (splitter, chunk, at) => {
    take(splitter, chunk.subarray(at));
    return { at: chunk.length };
  },
  first: (splitter, chunk, at) =>
    chunk[at] === BYTE.listClose
      ? { at, out: abort(splitter, 'BATCH_EMPTY') }
      : readItemStart(splitter, chunk, at),
  item: readItemStart,
  reading: readItem,
  after: readAfter,
  end: (splitter, chunk, at) =>
    skipSpace(splitter, chunk, at) ?? {
      at,
      out: abort(splitter, 'JSON_EXTRA', { found: characterOf(chunk, at) }),
    },
  broken: (_, chunk) => ({ at: chunk.length }),
};

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Bytes before the first bracket are stored: if the file is no array, they belong to its package. */
function readStart(splitter: Splitter, chunk: Uint8Array, at: number): Step {
  const byte = chunk[at] ?? 0;
  if (byte === BYTE.listOpen) {
    splitter.isList = true;
    splitter.phase = 'first';
    pass(splitter, byte);
    return { at: at + 1 };
  }
  if (byte !== BYTE_ORDER_MARK[splitter.size] && !isSpace(byte)) {
    splitter.phase = 'whole';
    return { at };
  }
  take(splitter, chunk.subarray(at, at + 1));
  if (isSpace(byte)) pass(splitter, byte);
  return { at: at + 1 };
}

function readItemStart(splitter: Splitter, chunk: Uint8Array, at: number): Step {
  const skipped = skipSpace(splitter, chunk, at);
  if (skipped) return skipped;
  const byte = chunk[at] ?? 0;
  const found = characterOf(chunk, at);
  if (byte === BYTE.listClose) return { at, out: abort(splitter, 'JSON_TRAILING_COMMA', { found }) };
  if (byte === BYTE.comma) return { at, out: abort(splitter, 'JSON_VALUE_MISSING', { found }) };
  if (isComment(byte)) return { at, out: abort(splitter, 'JSON_COMMENT') };
  const { batchItems } = splitter.limits;
  if (splitter.index >= batchItems) {
    return { at, out: abort(splitter, 'BATCH_TOO_MANY_ITEMS', { limit: String(batchItems) }) };
  }
  beginItem(splitter);
  return { at };
}

function readItem(splitter: Splitter, chunk: Uint8Array, at: number): Step {
  const { end, isDone } = readOn(chunk, at, splitter.item, splitter);
  take(splitter, chunk.subarray(at, end));
  if (!isDone) return { at: end };
  splitter.phase = 'after';
  return { at: end, out: endItem(splitter) };
}

function readAfter(splitter: Splitter, chunk: Uint8Array, at: number): Step {
  const skipped = skipSpace(splitter, chunk, at);
  if (skipped) return skipped;
  const byte = chunk[at] ?? 0;
  if (byte !== BYTE.comma && byte !== BYTE.listClose) {
    if (isComment(byte)) return { at, out: abort(splitter, 'JSON_COMMENT') };
    return { at, out: abort(splitter, 'JSON_SYNTAX', { expected: ', ]', found: characterOf(chunk, at) }) };
  }
  splitter.phase = byte === BYTE.comma ? 'item' : 'end';
  pass(splitter, byte);
  return { at: at + 1 };
}

function finish(splitter: Splitter): PackageBytes | PackageError | undefined {
  const { phase } = splitter;
  if (phase === 'end' || phase === 'broken') return undefined;
  const isItem = phase === 'start' || phase === 'whole' || phase === 'reading';
  return isItem ? endItem(splitter) : abort(splitter, 'JSON_UNFINISHED', { expected: ']' });
}

function skipSpace(splitter: Splitter, chunk: Uint8Array, at: number): Step | undefined {
  const byte = chunk[at] ?? 0;
  if (!isSpace(byte)) return undefined;
  pass(splitter, byte);
  return { at: at + 1 };
}

function isComment(byte: number): boolean {
  return byte === BYTE.slash || byte === BYTE.hash;
}

function characterOf(chunk: Uint8Array, at: number): string {
  return characterAt(new TextDecoder().decode(chunk.subarray(at, at + 4)), 0);
}
