import { characterAt } from './json/fault.ts';
import {
  BYTE,
  beginItem,
  breakOff,
  endItem,
  isSpace,
  openSplitter,
  type PackageBytes,
  type PackageFault,
  pass,
  readOn,
  type Splitter,
  take,
} from './splitter.ts';

type Step = { at: number; out?: PackageBytes | PackageFault | undefined };

/**
 * Splits a file into its packages without holding more than one of them: a file that is a list gives its items, any
 * other file is one package. Items are told apart by their brackets alone; `checkPackage` judges them. A list that is
 * itself broken ends with a finding, after the items before.
 */
export async function* packagesIn(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: Splitter['limits'],
): AsyncGenerator<PackageBytes | PackageFault> {
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

/** What the next bytes are by where the splitter stands; each step goes on by one byte or more, or to another phase. */
const STEPS: Readonly<Record<Splitter['phase'], (s: Splitter, chunk: Uint8Array, at: number) => Step>> = {
  start: readStart,
  whole: (splitter, chunk, at) => {
    take(splitter, chunk.subarray(at));
    return { at: chunk.length };
  },
  first: (splitter, chunk, at) =>
    chunk[at] === BYTE.listClose
      ? { at, out: breakOff(splitter, 'BATCH_EMPTY') }
      : readItemStart(splitter, chunk, at),
  item: readItemStart,
  reading: readItem,
  after: readAfter,
  end: (splitter, chunk, at) =>
    skipSpace(splitter, chunk, at) ?? {
      at,
      out: breakOff(splitter, 'JSON_EXTRA', { found: shown(chunk, at) }),
    },
  broken: (_, chunk) => ({ at: chunk.length }),
};

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** What stands before the first bracket belongs to a file of one package, whose lines count from its beginning. */
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
  const found = shown(chunk, at);
  if (byte === BYTE.listClose) return { at, out: breakOff(splitter, 'JSON_TRAILING_COMMA', { found }) };
  if (byte === BYTE.comma) return { at, out: breakOff(splitter, 'JSON_VALUE_MISSING', { found }) };
  if (isComment(byte)) return { at, out: breakOff(splitter, 'JSON_COMMENT') };
  const { batchItems } = splitter.limits;
  if (splitter.index >= batchItems) {
    return { at, out: breakOff(splitter, 'BATCH_TOO_MANY_ITEMS', { limit: String(batchItems) }) };
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
    if (isComment(byte)) return { at, out: breakOff(splitter, 'JSON_COMMENT') };
    return { at, out: breakOff(splitter, 'JSON_SYNTAX', { expected: ', ]', found: shown(chunk, at) }) };
  }
  splitter.phase = byte === BYTE.comma ? 'item' : 'end';
  pass(splitter, byte);
  return { at: at + 1 };
}

function finish(splitter: Splitter): PackageBytes | PackageFault | undefined {
  const { phase } = splitter;
  if (phase === 'end' || phase === 'broken') return undefined;
  const isItem = phase === 'start' || phase === 'whole' || phase === 'reading';
  return isItem ? endItem(splitter) : breakOff(splitter, 'JSON_UNFINISHED', { expected: ']' });
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

function shown(chunk: Uint8Array, at: number): string {
  return characterAt(new TextDecoder().decode(chunk.subarray(at, at + 4)), 0);
}
