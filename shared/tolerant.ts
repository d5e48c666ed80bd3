import { FALLBACK_LANGUAGE, isLanguage, type Language } from './languages.ts';

/** Rule for a value that is missing or has another type. */
type Rule = {
  /** It has no default: its parent is invalid too. */
  needed?: true;
  /** It is left out. */
  optional?: true;
  nullable?: true;
  /** Name of the field that replaces it; without a name, all fields beside it. */
  from?: string;
  /** The default value. */
  otherwise?: unknown;
};

/** The expected shape of a response; created from the contract's schemas (shared/shape.ts), and small enough for a browser. */
export type Shape = Rule &
  (
    | { as: 'any' | 'text' | 'number' | 'integer' | 'flag' }
    /** A string, number or boolean. */
    | { as: 'plain' }
    /** A time in RFC 3339, empty if unknown; some services return seconds or milliseconds since 1970. */
    | { as: 'time' }
    /** A language of the interface; if unknown, the requested one. */
    | { as: 'language' }
    | { as: 'one'; of: readonly unknown[] }
    | { as: 'list' | 'map'; of: Shape }
    | { as: 'either'; of: readonly Shape[] }
    | { as: 'fields'; of: Readonly<Record<string, Shape>> }
  );

type Fields = Readonly<Record<string, unknown>>;
type Reading = { language: Language; onDrop: () => void };

/** A smaller number is a time in seconds, not milliseconds. */
const SECONDS_BELOW = 1e11;
/** Longer messages of external services are cut. */
const MESSAGE_LENGTH = 200;

/**
 * Converts a service's response to its shape. A missing field gets the value of its rule, else the empty value of its
 * type; invalid entries of lists are left out and passed to `onDrop`. Returns undefined for an invalid response.
 */
export function tolerant(
  shape: Shape,
  answer: unknown,
  language: Language,
  onDrop: () => void = () => undefined,
): unknown {
  const reading = { language, onDrop };
  if (shape.as !== 'fields') return read(shape, answer, reading);
  const lists = Object.keys(shape.of).filter((name) => shape.of[name]?.as === 'list');
  const [only] = lists;
  // Some services return a bare array.
  const value = Array.isArray(answer) && lists.length === 1 && only ? { [only]: answer } : answer;
  if (!isFields(value)) return undefined;
  const found = readFields(shape.of, value, reading);
  return found && isOfLists(shape.of) && lists.some((name) => hasLostItems(value[name], found[name]))
    ? undefined
    : found;
}

/** Whether lists are the main content of a response: it has no other required fields. */
export function isOfLists(fields: Readonly<Record<string, Shape>>): boolean {
  return !Object.values(fields).some(({ needed, nullable }) => needed && !nullable);
}

/** Not a list, or a list without any valid entry: showing it as empty would be wrong. */
function hasLostItems(sent: unknown, found: unknown): boolean {
  if (sent === undefined || sent === null) return false;
  return !Array.isArray(sent) || (sent.length > 0 && Array.isArray(found) && found.length === 0);
}

/** Converts a value to its shape; undefined if that is not possible. */
function read(shape: Shape, value: unknown, reading: Reading): unknown {
  if (value === null || value === undefined) return shape.nullable ? null : undefined;
  switch (shape.as) {
    case 'fields':
      return isFields(value) ? readFields(shape.of, value, reading) : undefined;
    case 'list':
      return Array.isArray(value) ? unlessEmpty(shape, readList(shape.of, value, reading)) : undefined;
    case 'map':
      return isFields(value) ? readMap(shape.of, value, reading) : undefined;
    case 'one':
      return shape.of.find((known) => known === value || String(known) === textOf(value));
    case 'either':
      return firstOf(shape.of, (option) => read(option, value, reading));
    case 'language':
      return typeof value === 'string' && isLanguage(value) ? value : undefined;
    case 'text':
      return unlessEmpty(shape, textOf(value));
    case 'time':
      return parseTimestamp(value);
    case 'flag':
      return flagOf(value);
    case 'any':
      return value;
    case 'plain':
      return typeof value === 'object' ? undefined : value;
    default:
      return numberOf(shape, value);
  }
}

function readFields(shapes: Readonly<Record<string, Shape>>, value: Fields, reading: Reading) {
  const found: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const known =
      read(shape, sentAt(name, shape, value, reading), reading) ?? placeholder(shape, value, reading);
    if (known !== undefined) found[name] = known;
    else if (!shape.optional) return undefined;
  }
  return found;
}

/** The value of a field; one text in place of a text per language is that of the default language. */
function sentAt(name: string, shape: Shape, holder: Fields, { language }: Reading): unknown {
  const sent = holder[name];
  const isText = typeof sent === 'string' && sent !== '';
  if (!isText || shape.as !== 'fields' || !(FALLBACK_LANGUAGE in shape.of)) return sent;
  const { default_lang: own } = holder;
  return { [typeof own === 'string' && isLanguage(own) ? own : language]: sent };
}

/** Undefined for a field that is left out or has no default. */
function placeholder(shape: Shape, holder: Fields, reading: Reading): unknown {
  const { from, otherwise } = shape;
  const beside = from === '' ? holder : from !== undefined && holder[from];
  const found = from === undefined ? undefined : read(shape, beside, reading);
  if (found !== undefined) return found;
  if (otherwise !== undefined) return otherwise;
  if (shape.optional) return undefined;
  if (shape.nullable) return null;
  if (shape.needed) return undefined;
  switch (shape.as) {
    case 'fields':
      return readFields(shape.of, {}, reading);
    case 'one':
      return shape.of[0];
    case 'either':
      return undefined;
    case 'language':
      return reading.language;
    default:
      return EMPTY[shape.as]();
  }
}

const EMPTY = {
  any: () => null,
  plain: () => '',
  text: () => '',
  time: () => '',
  number: () => 0,
  integer: () => 0,
  flag: () => false,
  list: () => [],
  map: () => ({}),
};

function readList(shape: Shape, value: readonly unknown[], reading: Reading): unknown[] {
  return value.flatMap((entry) => {
    const found = read(shape, entry, reading);
    if (found === undefined) reading.onDrop();
    return found === undefined ? [] : [found];
  });
}

function readMap(shape: Shape, value: Fields, reading: Reading): Fields {
  const known = Object.entries(value).map(([name, inner]) => [name, read(shape, inner, reading)] as const);
  return Object.fromEntries(known.filter(([, inner]) => inner !== undefined));
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** The length of a list. A required number is the id of a row, which is at least 1. */
function numberOf(shape: Shape, value: unknown): number | undefined {
  const number = Array.isArray(value) ? value.length : Number(textOf(value) || Number.NaN);
  const whole = shape.as === 'integer' ? Math.trunc(number) : number;
  return Number.isFinite(whole) && !(shape.needed && whole < 1) ? whole : undefined;
}

function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  const number = Number(textOf(value) || Number.NaN);
  return Number.isFinite(number) ? number > 0 : undefined;
}

function parseTimestamp(value: unknown): string | undefined {
  if (typeof value === 'number') {
    const moment = new Date(value < SECONDS_BELOW ? value * 1000 : value);
    return Number.isFinite(moment.getTime()) ? moment.toISOString() : undefined;
  }
  return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? value : undefined;
}

function unlessEmpty<T extends string | unknown[]>({ needed }: Shape, value: T | undefined): T | undefined {
  return needed && value?.length === 0 ? undefined : value;
}

function firstOf<T>(options: readonly T[], readOne: (option: T) => unknown): unknown {
  for (const option of options) {
    const found = readOne(option);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a JSON value is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an envelope's code is a success: 0 or 200 (R 3.6), or the code of the call. */
export function isSuccess(code: unknown, only?: number): boolean {
  const known = textOf(code);
  return only === undefined ? known === '0' || known === '200' : known === String(only);
}

/** An error of an external service. `status` is its code if that is an HTTP status and the response has status 200. */
type ForeignFailure = { status: number; code: number; message: string };

/**
 * Numeric code and message of an external service's error; the message is text, never markup. Undefined
 * without a numeric code: our own services use names as codes, and the page has texts for them.
 */
export function foreignFailure(status: number, envelope: unknown): ForeignFailure | undefined {
  if (!isFields(envelope)) return undefined;
  const code = Number(textOf(envelope.code) || Number.NaN);
  if (!Number.isSafeInteger(code) || isSuccess(code)) return undefined;
  const text = typeof envelope.message === 'string' ? envelope.message : '';
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const isStatus = status === 200 && code >= 400 && code <= 599;
  return { status: isStatus ? code : status, code, message: [...plain].slice(0, MESSAGE_LENGTH).join('') };
}
