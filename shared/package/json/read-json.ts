import type { PackageLimits } from '../limits.ts';
import type { JsonValue } from '../package.ts';
import { characterAt, fault, isFault, type JsonFault } from './fault.ts';
import { type JsonPlace, placeIn } from './place.ts';
import {
  closerOf,
  deliver,
  FORBIDDEN_KEYS,
  openContainer,
  type Reader,
  skipSpace,
  unexpected,
} from './reader.ts';
import { scanScalar, scanString } from './scan.ts';
import { textFault } from './text-fault.ts';

/** A fault and the path of the value it was found at. */
export type PlacedFault = JsonFault & { path: (string | number)[] };

/** A JSON text as read; `root` is missing when its syntax is broken. */
export type JsonReading = { faults: PlacedFault[]; root?: { value: JsonValue; place: JsonPlace } };

const KEY_MAX = 256;

/** What the reader does by what may come next; each step goes one on, or answers the fault that ends the reading. */
const STEPS: Readonly<Record<Reader['next'], (reader: Reader) => JsonFault | undefined>> = {
  value: readValue,
  first: readFirst,
  key: readKey,
  after: readAfter,
  end: readEnd,
};

/**
 * Reads strict JSON (RFC 8259) without recursion. What breaks the syntax, or goes over the limits of depth and
 * number, ends the reading; a key that is there twice or forbidden, or a text that cannot be stored, does not.
 */
export function readJson(
  text: string,
  limits: Pick<PackageLimits, 'depth' | 'values' | 'findings'>,
): JsonReading {
  const faults: PlacedFault[] = [];
  const reader: Reader = {
    text,
    at: 0,
    next: 'value',
    open: [],
    values: 0,
    limits,
    note: (found) => {
      if (faults.length < limits.findings) faults.push({ ...found, path: pathOf(reader) });
    },
  };
  while (reader.next !== 'end' || reader.at < text.length) {
    reader.at = skipSpace(text, reader.at);
    const broken = STEPS[reader.next](reader);
    if (broken) return { faults: [...faults, { ...broken, path: pathOf(reader) }] };
  }
  return reader.root ? { faults, root: reader.root } : { faults };
}

function pathOf({ open }: Reader): (string | number)[] {
  return open.map(({ part }) => part).filter((part) => part !== undefined);
}

function readValue(reader: Reader): JsonFault | undefined {
  const { text, at, limits } = reader;
  const inside = reader.open.at(-1);
  if (inside?.place.items) inside.part = inside.place.items.length;
  reader.values += 1;
  if (reader.values > limits.values) {
    return fault('JSON_TOO_MANY_VALUES', at, { limit: String(limits.values) });
  }
  const mark = text[at];
  if (mark === '{' || mark === '[') return openContainer(reader, mark);
  if (mark === undefined || mark === ',' || mark === '/' || mark === '#' || isCloser(mark)) {
    return valueMissing(reader);
  }
  const read = mark === '"' ? scanString(text, at) : scanScalar(text, at);
  if (isFault(read)) return read;
  if (typeof read.value === 'string') {
    const bad = textFault(read.value, at);
    if (bad) reader.note(bad);
  }
  reader.at = read.end;
  reader.next = deliver(reader, read.value, { at });
  return undefined;
}

function valueMissing({ text, at, open, commaAt }: Reader): JsonFault {
  const found = characterAt(text, at);
  const inside = open.at(-1);
  if (commaAt !== undefined && inside?.place.items && text[at] === ']') {
    return fault('JSON_TRAILING_COMMA', commaAt, { found });
  }
  const expected = inside ? closerOf(inside) : '}';
  return unexpected(text, at, expected, fault('JSON_VALUE_MISSING', at, { found }));
}

function isCloser(mark: string): boolean {
  return mark === '}' || mark === ']';
}

/** Right after an opening bracket: the closing one, or the first part. */
function readFirst(reader: Reader): JsonFault | undefined {
  const inside = reader.open.at(-1);
  if (inside && reader.text[reader.at] === closerOf(inside)) return close(reader);
  delete reader.commaAt;
  reader.next = inside?.place.items ? 'value' : 'key';
  return undefined;
}

function readKey(reader: Reader): JsonFault | undefined {
  const { text, at } = reader;
  const inside = reader.open.at(-1);
  if (!inside) return fault('JSON_SYNTAX', at, { expected: '{', found: characterAt(text, at) });
  delete inside.part;
  if (text[at] !== '"') return keyMissing(reader);
  const key = scanString(text, at);
  if (isFault(key)) return key;
  if (key.value.length > KEY_MAX) return fault('JSON_KEY_TOO_LONG', at, { limit: String(KEY_MAX) });
  inside.part = key.value;
  inside.keyAt = at;
  const known = placeIn(inside.place, key.value);
  if (known) {
    reader.note({ ...fault('JSON_DUPLICATE_KEY', at, { key: key.value }), otherAt: known.keyAt ?? known.at });
  }
  if (FORBIDDEN_KEYS.has(key.value)) reader.note(fault('JSON_KEY_FORBIDDEN', at, { key: key.value }));
  const bad = textFault(key.value, at);
  if (bad) reader.note(bad);
  reader.at = skipSpace(text, key.end);
  if (text[reader.at] !== ':') {
    const found = characterAt(text, reader.at);
    return unexpected(text, reader.at, ':', fault('JSON_SYNTAX', reader.at, { expected: ':', found }));
  }
  reader.at += 1;
  delete reader.commaAt;
  reader.next = 'value';
  return undefined;
}

function keyMissing({ text, at, commaAt }: Reader): JsonFault {
  const found = characterAt(text, at);
  if (text[at] === '}' && commaAt !== undefined) return fault('JSON_TRAILING_COMMA', commaAt, { found });
  if (text[at] === "'") return fault('JSON_SINGLE_QUOTE', at);
  const bare = /^[\p{L}_$][\p{L}\p{N}_$-]*(?=\s*:)/u.exec(text.slice(at, at + KEY_MAX))?.[0];
  if (bare !== undefined) return fault('JSON_UNQUOTED_KEY', at, { key: bare });
  return unexpected(text, at, '}', fault('JSON_KEY_EXPECTED', at, { found }));
}

/** After a part: a comma and another one, or the closing bracket. */
function readAfter(reader: Reader): JsonFault | undefined {
  const { text, at } = reader;
  const inside = reader.open.at(-1);
  if (!inside) return readEnd(reader);
  const closer = closerOf(inside);
  if (text[at] === closer) return close(reader);
  if (text[at] === ',') {
    reader.commaAt = at;
    reader.at += 1;
    reader.next = inside.place.items ? 'value' : 'key';
    return undefined;
  }
  const found = characterAt(text, at);
  return unexpected(text, at, closer, fault('JSON_SYNTAX', at, { expected: `, ${closer}`, found }));
}

function close(reader: Reader): undefined {
  reader.open.pop();
  reader.at += 1;
  reader.next = reader.open.length > 0 ? 'after' : 'end';
}

function readEnd({ text, at }: Reader): JsonFault | undefined {
  if (at >= text.length) return undefined;
  return unexpected(text, at, '', fault('JSON_EXTRA', at, { found: characterAt(text, at) }));
}
