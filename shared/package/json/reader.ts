import type { PackageLimits } from '../limits.ts';
import type { JsonObject, JsonValue } from '../package.ts';
import { fault, type JsonFault } from './fault.ts';
import { type JsonPlace, placeIn } from './place.ts';

/** An object or list that is not closed yet. */
export type Container = {
  value: JsonObject | JsonValue[];
  place: JsonPlace;
  /** Key or index that is being read. */
  part?: string | number;
  keyAt?: number;
};

/** How far a JSON text has been read. */
export type Reader = {
  text: string;
  at: number;
  next: 'value' | 'first' | 'key' | 'after' | 'end';
  open: Container[];
  values: number;
  /** Offset of the comma that was read last, while nothing follows it. */
  commaAt?: number;
  limits: Pick<PackageLimits, 'depth' | 'values'>;
  /** Takes a fault that does not end the reading. */
  note(found: JsonFault): void;
  root?: { value: JsonValue; place: JsonPlace };
};

/** Names that reach an object's prototype where a program copies objects carelessly. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** White space of RFC 8259 section 2. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}

export function closerOf(container: Container): string {
  return container.place.items ? ']' : '}';
}

export function openContainer(reader: Reader, mark: '{' | '['): JsonFault | undefined {
  const { at, limits } = reader;
  if (reader.open.length >= limits.depth) return fault('JSON_TOO_DEEP', at, { limit: String(limits.depth) });
  const opened: Container =
    mark === '[' ? { value: [], place: { at, items: [] } } : { value: {}, place: { at, members: new Map() } };
  deliver(reader, opened.value, opened.place);
  reader.open.push(opened);
  reader.at += 1;
  reader.next = 'first';
  return undefined;
}

/** Puts a value where it belongs; the first of two under one key stays. Answers what may come next. */
export function deliver(reader: Reader, value: JsonValue, place: JsonPlace): Reader['next'] {
  const inside = reader.open.at(-1);
  if (!inside) {
    reader.root = { value, place };
    return 'end';
  }
  if (Array.isArray(inside.value)) {
    inside.value.push(value);
    inside.place.items?.push(place);
  } else if (typeof inside.part === 'string' && !placeIn(inside.place, inside.part)) {
    inside.place.members?.set(inside.part, { ...place, keyAt: inside.keyAt ?? place.at });
    if (!FORBIDDEN_KEYS.has(inside.part)) inside.value[inside.part] = value;
  }
  return 'after';
}

/** The fault of a character that cannot stand here: the file's end and comments have their own. */
export function unexpected(text: string, at: number, expected: string, otherwise: JsonFault): JsonFault {
  if (at >= text.length) return fault('JSON_UNFINISHED', text.length, { expected });
  if (text[at] === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) {
    return fault('JSON_COMMENT', at);
  }
  return otherwise;
}
