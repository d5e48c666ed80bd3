import { lengthOf } from '../listing-rules.ts';
import type { JsonObject, JsonValue, PackageLimits } from '../package.ts';
import type { Path, Report } from '../report.ts';

/** What a check is given beside the value. */
export type Context = { report: Report; limits: PackageLimits };

/** Judges a value at a path of the package. */
export type Check = (value: JsonValue, path: Path, context: Context) => void;

/** Longest list of a manifest that has no limit of its own. */
const ITEMS_MAX = 64;
/** Longest text of a manifest, in code points. */
const TEXT_MAX = 2000;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type of a value by JSON's own name for it. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Reports a value of another type; answers whether it did. */
export function isOtherType(
  value: JsonValue,
  expected: readonly string[],
  path: Path,
  { report }: Context,
): boolean {
  const found = typeOf(value);
  if (expected.includes(found)) return false;
  report.value(path, 'FIELD_TYPE', { expected: expected.join(' | '), found });
  return true;
}

/** A text of at most `limit` code points; `isFilled` refuses one that says nothing. */
export function text({ limit = TEXT_MAX, isFilled = false } = {}): Check {
  return (value, path, context) => {
    if (isOtherType(value, ['string'], path, context) || typeof value !== 'string') return;
    if (isFilled && value.trim() === '') context.report.value(path, 'FIELD_EMPTY');
    if (value.length > limit && lengthOf(value) > limit) {
      context.report.value(path, 'TEXT_TOO_LONG', { limit: String(limit) });
    }
  };
}

export const flag: Check = (value, path, context) => {
  isOtherType(value, ['boolean'], path, context);
};

export const number: Check = (value, path, context) => {
  isOtherType(value, ['number'], path, context);
};

/** Something that is neither a list nor an object. */
export const scalar: Check = (value, path, context) => {
  isOtherType(value, ['string', 'number', 'boolean'], path, context);
};

/** A text that is best one of those known; another one is kept, and told. */
export function oneOf(known: readonly string[]): Check {
  const isText = text({ isFilled: true });
  return (value, path, context) => {
    isText(value, path, context);
    if (typeof value === 'string' && value.trim() !== '' && !known.includes(value)) {
      context.report.value(path, 'VALUE_UNKNOWN', { value });
    }
  };
}

/** A list whose items are each judged by `check`. */
export function listOf(check: Check, { isDistinct = false } = {}): Check {
  return (value, path, context) => {
    if (isOtherType(value, ['array'], path, context) || !Array.isArray(value)) return;
    if (value.length > ITEMS_MAX) {
      context.report.value(path, 'TOO_MANY_ITEMS', { limit: String(ITEMS_MAX) });
      return;
    }
    for (const [index, item] of value.entries()) {
      check(item, [...path, index], context);
      if (isDistinct && typeof item === 'string' && value.indexOf(item) < index) {
        context.report.value([...path, index], 'VALUE_DUPLICATE', { value: item });
      }
    }
  };
}

/** An object whose members are each judged by their own check; others are kept, and told. */
export function shape(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path, context) => {
    if (isOtherType(value, ['object'], path, context) || !isObject(value)) return;
    for (const key of required) {
      if (!Object.hasOwn(value, key)) context.report.value([...path, key], 'FIELD_REQUIRED');
    }
    for (const [key, member] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (check) check(member, [...path, key], context);
      else context.report.key([...path, key], 'KEY_UNKNOWN', { key });
    }
  };
}
