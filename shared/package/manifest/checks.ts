import { isVisible } from '../../visible-text.ts';
import { lengthOf } from '../listing-rules.ts';
import type { JsonObject, JsonValue, PackageLimits } from '../package.ts';
import type { Path, Report } from '../report.ts';

/** Report and limits of the package that is being checked. */
export type Context = {
  report: Report;
  limits: PackageLimits;
  /** Called with the name of a script before it is parsed. */
  onScript?: ((file: string) => void) | undefined;
  /** Ids of the design tools that a package may name; undefined if they are not known here. */
  hosts: readonly string[] | undefined;
};

/** Checks the value at a path of the package, and reports its errors. */
export type Check = (value: JsonValue, path: Path, context: Context) => void;

/** Limit to the length of arrays in a manifest that have no other limit. */
const ITEMS_MAX = 64;
/** Default limit to the length of texts in a manifest, in code points. */
const TEXT_MAX = 2000;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON name of a value's type. */
function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Reports a value of another type. @returns whether it did */
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

/** Type guards that report a value of another type. */
export function isTextAt(value: JsonValue, path: Path, context: Context): value is string {
  return !isOtherType(value, ['string'], path, context);
}
export function isListAt(value: JsonValue, path: Path, context: Context): value is JsonValue[] {
  return !isOtherType(value, ['array'], path, context);
}
export function isObjectAt(value: JsonValue, path: Path, context: Context): value is JsonObject {
  return !isOtherType(value, ['object'], path, context);
}

/** A text of at most `limit` code points; `isFilled` refuses one with nothing to see. */
export function text({ limit = TEXT_MAX, isFilled = false } = {}): Check {
  return (value, path, context) => {
    if (!isTextAt(value, path, context)) return;
    if (isFilled && !isVisible(value)) context.report.value(path, 'FIELD_EMPTY');
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

/** Neither an array nor an object. */
export const scalar: Check = (value, path, context) => {
  isOtherType(value, ['string', 'number', 'boolean'], path, context);
};

/** A text with known values; any other value is a warning. */
export function oneOf(known: readonly string[]): Check {
  const isText = text({ isFilled: true });
  return (value, path, context) => {
    isText(value, path, context);
    if (typeof value === 'string' && value.trim() !== '' && !known.includes(value)) {
      context.report.value(path, 'VALUE_UNKNOWN', { value });
    }
  };
}

/** An array whose items are each checked by `check`. */
export function listOf(check: Check, { isDistinct = false } = {}): Check {
  return (value, path, context) => {
    if (!isListAt(value, path, context)) return;
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

/** An object with a check for each known member; an unknown member is a warning. */
export function shape(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path, context) => {
    if (!isObjectAt(value, path, context)) return;
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
