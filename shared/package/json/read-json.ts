import { visit } from 'jsonc-parser';
import type { JsonObject, JsonValue, PackageLimits } from '../package.ts';
import type { JsonPlace } from './place.ts';
import { type Expected, type JsonError, jsonError, syntaxError, textError } from './syntax-error.ts';

/** An error with the path of the value it belongs to. */
type PlacedError = JsonError & { path: (string | number)[] };

/** A parsed JSON text; `root` is missing after a syntax error. */
type JsonReading = { errors: PlacedError[]; root?: { value: JsonValue; place: JsonPlace } };

/** An open object or array, and the key or index that is being read. */
type Container = {
  value: JsonObject | JsonValue[];
  place: JsonPlace;
  part?: string | number | undefined;
  keyAt?: number;
};

const KEY_MAX = 256;
/** Keys that reach an object's prototype where a program copies objects carelessly. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const STRICT = { disallowComments: true, allowTrailingComma: false };
/** Thrown to stop parsing: the parser would continue after an error. */
const STOPPED = Symbol('stopped');

/**
 * Parses strict JSON (RFC 8259). Syntax errors and exceeded limits of depth and number stop the parser; duplicate and
 * forbidden keys, and strings that cannot be stored, do not. Of two members with the same key the first is used.
 */
export function readJson(
  text: string,
  limits: Pick<PackageLimits, 'depth' | 'values' | 'findings'>,
): JsonReading {
  const errors: PlacedError[] = [];
  const open: Container[] = [];
  let root: JsonReading['root'];
  let values = 0;
  let expected: Expected = { next: 'value', closer: '' };

  const placed = (error: JsonError): PlacedError => ({
    ...error,
    path: open.map(({ part }) => part).filter((part) => part !== undefined),
  });
  const report = (error: JsonError | undefined): void => {
    if (error && errors.length < limits.findings) errors.push(placed(error));
  };
  const stop = (error: JsonError): never => {
    errors.push(placed(error));
    throw STOPPED;
  };
  const expect = (next: Expected['next'], more: Pick<Expected, 'commaAt' | 'word'> = {}): void => {
    const inside = open.at(-1);
    const closer = inside ? (inside.place.items ? ']' : '}') : '';
    expected = { next: next === 'after' && !inside ? 'end' : next, closer, ...more };
  };
  const addValue = (value: JsonValue, place: JsonPlace): void => {
    values += 1;
    if (values > limits.values) {
      stop(jsonError('JSON_TOO_MANY_VALUES', place.at, { limit: String(limits.values) }));
    }
    const inside = open.at(-1);
    if (!inside) root = { value, place };
    else if (Array.isArray(inside.value)) {
      inside.value.push(value);
      inside.place.items?.push(place);
    } else if (typeof inside.part === 'string' && !inside.place.members?.has(inside.part)) {
      inside.place.members?.set(inside.part, { ...place, keyAt: inside.keyAt ?? place.at });
      if (!FORBIDDEN_KEYS.has(inside.part)) inside.value[inside.part] = value;
    }
  };
  const begin = (container: Container, next: Expected['next']): void => {
    const { at } = container.place;
    if (open.length >= limits.depth) stop(jsonError('JSON_TOO_DEEP', at, { limit: String(limits.depth) }));
    addValue(container.value, container.place);
    open.push(container);
    expect(next);
  };
  const end = (offset: number): void => {
    if (text[offset] !== expected.closer) stop(syntaxError(text, offset, expected));
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
          if (key.length > KEY_MAX) stop(jsonError('JSON_KEY_TOO_LONG', at, { limit: String(KEY_MAX) }));
          inside.part = key;
          inside.keyAt = at;
          const first = inside.place.members?.get(key);
          if (first) {
            report({ ...jsonError('JSON_DUPLICATE_KEY', at, { key }), otherAt: first.keyAt ?? first.at });
          }
          if (FORBIDDEN_KEYS.has(key)) report(jsonError('JSON_KEY_FORBIDDEN', at, { key }));
          report(textError(key, at));
          expect('colon');
        },
        onLiteralValue(value: string | number | boolean | null, at, length) {
          if (typeof value === 'number' && !Number.isFinite(value)) {
            stop(jsonError('JSON_NUMBER_RANGE', at, { found: text.slice(at, at + length) }));
          }
          if (typeof value === 'string') report(textError(value, at));
          addValue(value, { at });
          expect('after', typeof value === 'string' ? {} : { word: { at, end: at + length } });
        },
        onSeparator(character, at) {
          const inside = open.at(-1);
          if (character === ':' || !inside) return expect('value');
          inside.part = inside.place.items?.length;
          expect(inside.place.items ? 'value' : 'key', { commaAt: at });
        },
        onError: (_, at) => stop(syntaxError(text, at, expected)),
      },
      STRICT,
    );
  } catch (error) {
    if (error !== STOPPED) throw error;
    return { errors };
  }
  return root ? { errors, root } : { errors };
}
