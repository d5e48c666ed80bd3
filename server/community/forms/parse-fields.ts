import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Convert, Errors } from 'typebox/value';
import { LANGUAGES, type Texts } from '../../../shared/languages.ts';
import { collectFaults, type FormFaults, pointerTo } from './faults.ts';

/** What a text that is no JSON object stands for, by the field it was given for. */
export type ReadPlainText = (field: string, text: string) => Texts;

/**
 * Fields of a form as their schema wants them: objects and lists travel as JSON text, numbers as digits; a text by
 * language may be given plain.
 * @param options.judged keywords of the schema that are not asked here
 * @throws VALIDATION_FAILED naming every field that is not as it should be
 */
export function parseFields<Schema extends TObject>(
  schema: Schema,
  raw: ReadonlyMap<string, unknown>,
  { plainText, judged = [] }: { plainText: ReadPlainText; judged?: readonly string[] | undefined },
): Static<Schema> {
  const faults = collectFaults();
  const fields: Record<string, unknown> = {};
  for (const [name, fieldSchema] of Object.entries(schema.properties)) {
    if (!raw.has(name)) continue;
    fields[name] = readField(name, fieldSchema, raw.get(name), plainText);
    refuseUnknownKeys(fieldSchema, fields[name], pointerTo(name), faults);
    refuseUnstorable(fields[name], pointerTo(name), faults);
  }
  for (const { instancePath, message } of worthTelling(Errors(schema, fields), judged)) {
    faults.add('VALIDATION_FAILED', instancePath, message);
  }
  faults.refuseAny();
  // What is left open is how long things are, which no type tells.
  return fields as Static<Schema>;
}

type Flaw = ReturnType<typeof Errors>[number];

/** One flaw for each place; what fits none of several shapes is not told what each of them asks for. */
function worthTelling(flaws: readonly Flaw[], judged: readonly string[]): Flaw[] {
  const unions = flaws.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
  const told = flaws.filter(
    ({ keyword, instancePath }) =>
      !judged.includes(keyword) && !unions.some((path) => instancePath.startsWith(`${path}/`)),
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

/** What a schema does not name must not pass unseen, or a mistyped language would vanish. */
function refuseUnknownKeys(schema: TSchema, value: unknown, pointer: string, faults: FormFaults): void {
  if (Type.IsArray(schema) && Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 100).entries()) {
      refuseUnknownKeys(schema.items, item, `${pointer}/${index}`, faults);
    }
  }
  if (!Type.IsObject(schema) || !isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (known) refuseUnknownKeys(known, item, `${pointer}${pointerTo(key)}`, faults);
    else faults.add('VALIDATION_FAILED', `${pointer}${pointerTo(key)}`, 'is not known here');
  }
}

/** Half characters, and the one that ends a text in many places, are in no text that somebody has written. */
function refuseUnstorable(value: unknown, pointer: string, faults: FormFaults): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      faults.add('VALIDATION_FAILED', pointer, 'holds a character that cannot be kept');
    }
  } else if (isObject(value) || Array.isArray(value)) {
    for (const [key, item] of Object.entries(value).slice(0, 1000)) {
      refuseUnstorable(item, `${pointer}${pointerTo(key)}`, faults);
    }
  }
}
