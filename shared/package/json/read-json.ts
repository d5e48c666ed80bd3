import { visit } from 'jsonc-parser';
import type { JsonObject, JsonValue, PackageLimits } from '../package.ts';
import { type Expected, fault, type JsonFault, syntaxFault, textFault } from './fault.ts';
import { type JsonPlace, placeIn } from './place.ts';

/** A fault and the path of the value it was found at. */
type PlacedFault = JsonFault & { path: (string | number)[] };

/** A JSON text as read; `root` is missing when its syntax is broken. */
type JsonReading = { faults: PlacedFault[]; root?: { value: JsonValue; place: JsonPlace } };

/** An object or list that is not closed yet, and the key or index that is being read. */
type Container = {
  value: JsonObject | JsonValue[];
  place: JsonPlace;
  part?: string | number | undefined;
  keyAt?: number;
};

const KEY_MAX = 256;
/** Names that reach an object's prototype where a program copies objects carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const STRICT = { disallowComments: true, allowTrailingComma: false };
/** Thrown to end the reading: the parser would go on behind a fault. */
const STOPPED = Symbol('stopped');

/**
 * Reads strict JSON (RFC 8259). What breaks the syntax, or goes over the limits of depth and number, ends the reading;
 * a key that is there twice or forbidden, or a text that cannot be stored, does not.
 */
export function readJson(
  text: string,
  limits: Pick<PackageLimits, 'depth' | 'values' | 'findings'>,
): JsonReading {
  const faults: PlacedFault[] = [];
  const open: Container[] = [];
  let root: JsonReading['root'];
  let values = 0;
  let expected: Expected = { next: 'value', closer: '' };

  const placed = (found: JsonFault): PlacedFault => ({
    ...found,
    path: open.map(({ part }) => part).filter((part) => part !== undefined),
  });
  const note = (found: JsonFault | undefined): void => {
    if (found && faults.length < limits.findings) faults.push(placed(found));
  };
  const stop = (found: JsonFault): never => {
    faults.push(placed(found));
    throw STOPPED;
  };
  const expect = (next: Expected['next'], more: Pick<Expected, 'commaAt' | 'word'> = {}): void => {
    const inside = open.at(-1);
    const closer = inside ? (inside.place.items ? ']' : '}') : '';
    expected = { next: next === 'after' && !inside ? 'end' : next, closer, ...more };
  };
  /** Puts a value where it belongs; the first of two under one key stays. */
  const deliver = (value: JsonValue, place: JsonPlace): void => {
    values += 1;
    if (values > limits.values) {
      stop(fault('JSON_TOO_MANY_VALUES', place.at, { limit: String(limits.values) }));
    }
    const inside = open.at(-1);
    if (!inside) root = { value, place };
    else if (Array.isArray(inside.value)) {
      inside.value.push(value);
      inside.place.items?.push(place);
    } else if (typeof inside.part === 'string' && !placeIn(inside.place, inside.part)) {
      inside.place.members?.set(inside.part, { ...place, keyAt: inside.keyAt ?? place.at });
      if (!FORBIDDEN_KEYS.has(inside.part)) inside.value[inside.part] = value;
    }
  };
  const begin = (container: Container, next: Expected['next']): void => {
    const { at } = container.place;
    if (open.length >= limits.depth) stop(fault('JSON_TOO_DEEP', at, { limit: String(limits.depth) }));
    deliver(container.value, container.place);
    open.push(container);
    expect(next);
  };
  const end = (offset: number): void => {
    if (text[offset] !== expected.closer) stop(syntaxFault(text, offset, expected));
    open.pop();
    expect('after');
  };

  try {
    visit(
      text,
      {
        onObjectBegin: (at) => begin({ value: {}, place: { at, members: new Map() } }, 'key'),
        onArrayBegin: (at) => begin({ value: [], place: { at, items: [] }, part: 0 }, 'value'),
        onObjectEnd: end,
        onArrayEnd: end,
        onObjectProperty(key, at) {
          const inside = open.at(-1);
          if (!inside) return;
          if (key.length > KEY_MAX) stop(fault('JSON_KEY_TOO_LONG', at, { limit: String(KEY_MAX) }));
          inside.part = key;
          inside.keyAt = at;
          const known = placeIn(inside.place, key);
          if (known) {
            note({ ...fault('JSON_DUPLICATE_KEY', at, { key }), otherAt: known.keyAt ?? known.at });
          }
          if (FORBIDDEN_KEYS.has(key)) note(fault('JSON_KEY_FORBIDDEN', at, { key }));
          note(textFault(key, at));
          expect('colon');
        },
        onLiteralValue(value: string | number | boolean | null, at, length) {
          if (typeof value === 'number' && !Number.isFinite(value)) {
            stop(fault('JSON_NUMBER_RANGE', at, { found: text.slice(at, at + length) }));
          }
          if (typeof value === 'string') note(textFault(value, at));
          deliver(value, { at });
          expect('after', typeof value === 'string' ? {} : { word: { at, end: at + length } });
        },
        onSeparator(character, at) {
          const inside = open.at(-1);
          if (character === ':' || !inside) return expect('value');
          inside.part = inside.place.items?.length;
          expect(inside.place.items ? 'value' : 'key', { commaAt: at });
        },
        onError: (_, at) => stop(syntaxFault(text, at, expected)),
      },
      STRICT,
    );
  } catch (error) {
    if (error !== STOPPED) throw error;
    return { faults };
  }
  return root ? { faults, root } : { faults };
}
