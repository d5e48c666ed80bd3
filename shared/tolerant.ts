import { isLanguage, type Language } from './languages.ts';

/** What becomes of a value that is missing or of another type. */
type Rule = {
  /** Nothing can stand in for it: what holds it cannot be used either. */
  needed?: true;
  /** It is left out. */
  optional?: true;
  nullable?: true;
  /** What the field of this name holds stands in; without a name, all that stands beside it. */
  from?: string;
  /** This stands in. */
  otherwise?: unknown;
};

/** What an answer is to look like; made of the contract's schemas (shared/shape.ts), and small enough for a browser. */
export type Shape = Rule &
  (
    | { as: 'any' | 'text' | 'number' | 'integer' | 'flag' }
    /** A text, number or flag as it is. */
    | { as: 'plain' }
    /** A moment of RFC 3339, empty where it is not known; services tell seconds or milliseconds since 1970, too. */
    | { as: 'time' }
    /** One of the interface's; what is not known is in the language that was asked for. */
    | { as: 'language' }
    | { as: 'one'; of: readonly unknown[] }
    | { as: 'list' | 'map'; of: Shape }
    | { as: 'either'; of: readonly Shape[] }
    | { as: 'fields'; of: Readonly<Record<string, Shape>> }
  );

type Fields = Readonly<Record<string, unknown>>;
type Reading = { language: Language; onDrop: () => void };

/** Below this a number is a moment in seconds, not in milliseconds. */
const SECONDS_BELOW = 1e11;
/** Characters of a foreign message that are shown. */
const MESSAGE_LENGTH = 200;

/**
 * A service's answer made to fit its shape: what stands in for a field is told by its rule, else it is the empty value of
 * its type; entries of lists that cannot be used are left out, each told to `onDrop`. Undefined: the answer cannot be used.
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
  // Some services answer a list by itself.
  const value = Array.isArray(answer) && lists.length === 1 && only ? { [only]: answer } : answer;
  if (!isFields(value)) return undefined;
  const found = readFields(shape.of, value, reading);
  return found && isOfLists(shape.of) && lists.some((name) => isLost(value[name], found[name]))
    ? undefined
    : found;
}

/** Whether an answer is about its lists: one that has something needed beside them is about that. */
export function isOfLists(fields: Readonly<Record<string, Shape>>): boolean {
  return !Object.values(fields).some(({ needed, nullable }) => needed && !nullable);
}

/** A list that is none, or of which nothing can be used: to show it empty would be untrue. */
function isLost(sent: unknown, found: unknown): boolean {
  if (sent === undefined || sent === null) return false;
  return !Array.isArray(sent) || (sent.length > 0 && Array.isArray(found) && found.length === 0);
}

/** The value as its shape wants it; undefined when it cannot be that. */
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
      return momentOf(value);
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
    const known = read(shape, value[name], reading) ?? standIn(shape, value, reading);
    if (known !== undefined) found[name] = known;
    else if (!shape.optional) return undefined;
  }
  return found;
}

/** Undefined for what is left out, and where nothing can stand in. */
function standIn(shape: Shape, holder: Fields, reading: Reading): unknown {
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

/** Of a list, its length. What is needed as a number is the number of a row, which are counted from 1. */
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

function momentOf(value: unknown): string | undefined {
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

/** Whether a value of JSON is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an envelope's code tells of success: 0 or 200 (specification section 4), or the one that a call has. */
export function isSuccess(code: unknown, only?: number): boolean {
  const known = textOf(code);
  return only === undefined ? known === '0' || known === '200' : known === String(only);
}

/** A failure in the words of a service that is not ours. `status`: the code itself where it is one and HTTP says 200. */
type ForeignFailure = { status: number; code: number; told: string };

/**
 * The numeric code of a failure, as foreign services have them, and what it says to people: text, never markup. Undefined
 * where it has none: our own services have words for codes, and the page its own texts for them.
 */
export function foreignFailure(status: number, envelope: unknown): ForeignFailure | undefined {
  if (!isFields(envelope)) return undefined;
  const code = Number(textOf(envelope.code) || Number.NaN);
  if (!Number.isSafeInteger(code) || isSuccess(code)) return undefined;
  const message = typeof envelope.message === 'string' ? envelope.message : '';
  const told = message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const isStatus = status === 200 && code >= 400 && code <= 599;
  return { status: isStatus ? code : status, code, told: [...told].slice(0, MESSAGE_LENGTH).join('') };
}
