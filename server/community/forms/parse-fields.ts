import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Convert, Errors } from 'typebox/value';
import type { ErrorCode, ErrorDetail } from '../../../shared/errors.ts';
import { LANGUAGES, type Texts } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';

/** What is wrong with one part of a form; collected, so that one answer tells all of it. */
export type FormError = ErrorDetail & { code: ErrorCode };

/** @param what the message of VALIDATION_FAILED, or another code with the values of its message's placeholders */
export function formError(
  pointer: string,
  what: string | { code: ErrorCode; params?: Readonly<Record<string, string>> | undefined },
): FormError {
  if (typeof what === 'string') {
    return { pointer, message: what, code: 'VALIDATION_FAILED', severity: 'error' };
  }
  const { code, params = {} } = what;
  return { pointer, message: appError(code, { params }).message, code, severity: 'error', params };
}

const ERRORS_MAX = 100;

/** @throws AppError with all errors, when there are any; the first decides the code */
export function refuseAny(errors: readonly FormError[]): void {
  const [first] = errors;
  if (!first) return;
  const { code, params = {} } = first;
  throw appError(code, { params, details: errors.slice(0, ERRORS_MAX) });
}

/** Name of a part as a JSON pointer (RFC 6901), cut where it is absurdly long. */
export function pointerTo(name: string): string {
  return `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a text that is no JSON object stands for, by the field it was given for. */
export type ReadPlainText = (field: string, text: string) => Texts;

/**
 * Fields of a form as their schema wants them: objects and lists travel as JSON text, numbers as digits; a text by
 * language may be given plain.
 * @param options.checkedByHandler keywords of the schema that are not asked here
 * @throws VALIDATION_FAILED naming every field that is not as it should be
 */
export function parseFields<Schema extends TObject>(
  schema: Schema,
  raw: ReadonlyMap<string, unknown>,
  {
    plainText,
    checkedByHandler = [],
  }: { plainText: ReadPlainText; checkedByHandler?: readonly string[] | undefined },
): Static<Schema> {
  const fields: Record<string, unknown> = {};
  const errors: FormError[] = [];
  for (const [name, fieldSchema] of Object.entries(schema.properties)) {
    if (!raw.has(name)) continue;
    fields[name] = readField(name, fieldSchema, raw.get(name), plainText);
    errors.push(...unwanted(fieldSchema, fields[name], pointerTo(name)).take(ERRORS_MAX));
  }
  for (const { instancePath, message } of worthTelling(Errors(schema, fields), checkedByHandler)) {
    errors.push(formError(instancePath, message));
  }
  refuseAny(errors);
  // What is left open is how long things are, which no type tells.
  return fields as Static<Schema>;
}

type Flaw = ReturnType<typeof Errors>[number];

/** One flaw for each place; what fits none of several shapes is not told what each of them asks for. */
function worthTelling(flaws: readonly Flaw[], checkedByHandler: readonly string[]): Flaw[] {
  const unions = flaws.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const told = flaws.filter(
    ({ keyword, instancePath }) =>
      !checkedByHandler.includes(keyword) && !unions.some((path) => instancePath.startsWith(`${path}/`)),
  );
  return [...new Map(told.map((flaw) => [flaw.instancePath, flaw])).values()];
}

function readField(name: string, schema: TSchema, given: unknown, plainText: ReadPlainText): unknown {
  // A part that calls itself JSON was parsed on its way.
  if (typeof given !== 'string') return given;
  if (isTexts(schema)) {
    const parsed = parseJson(given);
    return isObject(parsed) ? parsed : plainText(name, given);
  }
  if (Type.IsObject(schema) || Type.IsArray(schema)) return parseJson(given) ?? given;
  if (Type.IsInteger(schema)) return /^-?\d{1,15}$/.test(given) ? Number(given) : given;
  return Type.IsBoolean(schema) ? Convert(schema, given) : given;
}

/** A text per language: an object of all the languages and nothing else. */
function isTexts(schema: TSchema): boolean {
  const names = Type.IsObject(schema) ? Object.keys(schema.properties) : [];
  return names.length === LANGUAGES.length && LANGUAGES.every((language) => names.includes(language));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** No field of the contract is nested deeper. */
const DEPTH_MAX = 16;

/**
 * What a schema does not name must not pass unseen, or a mistyped language would vanish. Half characters, and the one
 * that ends a text in many places, are in no text that somebody has written.
 */
function* unwanted(
  schema: TSchema | undefined,
  value: unknown,
  pointer: string,
  depth = 0,
): Generator<FormError> {
  if (depth > DEPTH_MAX) yield formError(pointer, 'is nested too deeply');
  else if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      yield formError(pointer, 'holds a character that cannot be kept');
    }
  } else if (Array.isArray(value)) {
    const items = schema && Type.IsArray(schema) ? schema.items : undefined;
    for (const [index, item] of value.entries()) {
      yield* unwanted(items, item, `${pointer}/${index}`, depth + 1);
    }
  } else if (isObject(value)) {
    const known = schema && Type.IsObject(schema) ? schema.properties : undefined;
    for (const [key, item] of Object.entries(value)) {
      const at = `${pointer}${pointerTo(key)}`;
      if (known && !Object.hasOwn(known, key)) yield formError(at, 'is not known here');
      else yield* unwanted(known?.[key], item, at, depth + 1);
    }
  }
}
