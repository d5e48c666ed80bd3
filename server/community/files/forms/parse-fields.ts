import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Convert, Errors } from 'typebox/value';
import type { ErrorCode, ErrorDetail } from '../../../../shared/errors.ts';
import { LANGUAGES, type Texts } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';

/** An error in one part of a form. */
export type FormError = ErrorDetail & { code: ErrorCode };

const ERRORS_MAX = 100;
/** No field of the contract is nested deeper. */
const DEPTH_MAX = 16;

/** @param problem the message of VALIDATION_FAILED, or another code with the values of its placeholders */
export function formError(
  pointer: string,
  problem: string | { code: ErrorCode; params?: Readonly<Record<string, string>> | undefined },
): FormError {
  if (typeof problem === 'string') {
    return { pointer, message: problem, code: 'VALIDATION_FAILED', severity: 'error' };
  }
  const { code, params = {} } = problem;
  return { pointer, message: appError(code, { params }).message, code, severity: 'error', params };
}

/** @throws AppError with all errors, if there are any; the first one gives the code */
export function refuseAny(errors: readonly FormError[]): void {
  const [first] = errors;
  if (!first) return;
  const { code, params = {} } = first;
  throw appError(code, { params, details: errors.slice(0, ERRORS_MAX) });
}

/** The name of a part as a JSON pointer (RFC 6901), shortened to 100 characters. */
export function pointerTo(name: string): string {
  return `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Reads a text that is not a JSON object as the texts by language of a field. */
export type ReadPlainText = (field: string, text: string) => Texts;

type ParseOptions = { plainText: ReadPlainText; checkedByHandler?: readonly string[] | undefined };

/**
 * Parses and validates the fields of a form: objects and lists are sent as JSON, numbers as digits; a text by language
 * may be plain text.
 * @param options.checkedByHandler keywords of the schema that are not checked here
 * @throws VALIDATION_FAILED with every invalid field
 */
export function parseFields<Schema extends TObject>(
  schema: Schema,
  raw: ReadonlyMap<string, unknown>,
  { plainText, checkedByHandler = [] }: ParseOptions,
): Static<Schema> {
  const fields: Record<string, unknown> = {};
  const errors: FormError[] = [];
  for (const [name, fieldSchema] of Object.entries(schema.properties)) {
    if (!raw.has(name)) continue;
    fields[name] = parseField(name, fieldSchema, raw.get(name), plainText);
    errors.push(...findForbidden(fieldSchema, fields[name], pointerTo(name)).take(ERRORS_MAX));
  }
  const found = Errors(schema, fields);
  // The errors inside each alternative of a union would only repeat that none of them matches.
  const unions = found.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const byField = new Map<string, string>();
  for (const { keyword, instancePath, message } of found) {
    const isInUnion = unions.some((path) => instancePath.startsWith(`${path}/`));
    if (!isInUnion && !checkedByHandler.includes(keyword)) byField.set(instancePath, message);
  }
  for (const [pointer, message] of byField) errors.push(formError(pointer, message));
  refuseAny(errors);
  // Only lengths may still be wrong, which no type expresses.
  return fields as Static<Schema>;
}

function parseField(name: string, schema: TSchema, given: unknown, plainText: ReadPlainText): unknown {
  // The parser has already parsed a part of type application/json.
  if (typeof given !== 'string') return given;
  if (isTexts(schema)) {
    const parsed = parseJson(given);
    return isObject(parsed) ? parsed : plainText(name, given);
  }
  if (Type.IsObject(schema) || Type.IsArray(schema)) return parseJson(given) ?? given;
  if (Type.IsInteger(schema)) return /^-?\d{1,15}$/.test(given) ? Number(given) : given;
  return Type.IsBoolean(schema) ? Convert(schema, given) : given;
}

/** True for a text by language: an object with exactly the supported languages. */
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

/**
 * Finds content that schemas let pass: unknown properties, since a mistyped language would be lost; half surrogate
 * pairs and NUL, which the database cannot store.
 */
function* findForbidden(
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
      yield* findForbidden(items, item, `${pointer}/${index}`, depth + 1);
    }
  } else if (isObject(value)) {
    const known = schema && Type.IsObject(schema) ? schema.properties : undefined;
    for (const [key, item] of Object.entries(value)) {
      const at = `${pointer}${pointerTo(key)}`;
      if (known && !Object.hasOwn(known, key)) yield formError(at, 'unknown field');
      else yield* findForbidden(known?.[key], item, at, depth + 1);
    }
  }
}
