import { ERRORS } from '../../shared/errors.ts';
import type { Route } from '../../shared/route.ts';

/** The part of JSON Schema that the contract uses. */
type Schema = {
  type?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minItems?: number;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
};

/** Texts of fields without a sample of their own; the first that fits a pattern is sent. */
const SAMPLES = [
  'a',
  'abc',
  '1',
  '1.0.0',
  'a'.repeat(32),
  'a'.repeat(43),
  `${'0'.repeat(32)}.webp`,
  '123456',
  '#000000',
];
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2030-01-01T00:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** Values of fields by name, so that a call gets as far as its text does. */
type Known = Readonly<Record<string, unknown>>;

/** A field that takes text. */
type TextField = { at: string; schema: Schema; put(text: string): unknown };

function sampleOf(schema: Schema, known: Known, name = ''): unknown {
  if (name in known) return known[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {}, known, name);
  const { type, items = {}, minItems = 0, minimum = 1, minLength = 1, pattern = '' } = schema;
  if (type === 'object') return objectOf(schema, known);
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(items, known));
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return false;
  const text = SAMPLES.find((sample) => new RegExp(pattern, 'u').test(sample)) ?? 'a';
  return FORMATS[schema.format ?? ''] ?? text.padEnd(minLength, 'a');
}

function objectOf({ properties = {}, required = [] }: Schema, known: Known): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || name in known);
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] ?? {}, known, name)]));
}

function* textFieldsOf(schema: Schema, known: Known, at = ''): Generator<TextField> {
  for (const option of schema.anyOf ?? []) yield* textFieldsOf(option, known, at);
  if (schema.anyOf) return;
  if (schema.type === undefined || schema.type === 'string') yield { at, schema, put: (text) => text };
  for (const field of schema.items ? textFieldsOf(schema.items, known, `${at}/0`) : [])
    yield { ...field, put: (text) => [field.put(text)] };
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    for (const field of textFieldsOf(part, known, `${at}/${name}`))
      yield { ...field, put: (text) => ({ ...objectOf(schema, known), [name]: field.put(text) }) };
  for (const part of Object.values(schema.patternProperties ?? {}))
    for (const field of textFieldsOf(part, known, `${at}/a`))
      yield { ...field, put: (text) => ({ a: field.put(text) }) };
}

/** What no field takes, and what a needed text must not be. */
const BAD_TEXTS = {
  NUL: 'a\0b',
  'half a surrogate pair': 'a\ud800b',
  'the other half': '\udc00',
  'control characters': '\u0001\u0007\u001b\u007f\u0085',
  'zero-width characters': '\u200b\u3164\u2060\u2800',
} as const;

/** A call with a bad text in one field. */
export type BadCall = {
  title: string;
  method: Route['method'];
  url: string;
  body: unknown;
  isForm: boolean;
  /** `exactly`: 400 VALIDATION_FAILED; `somehow`: by a code of its own; undefined if the call may take the text. */
  refusal: 'exactly' | 'somehow' | undefined;
};

/**
 * Each field of a route that takes text (parameters, query and body) with each bad text.
 * @param known values of fields by name
 */
export function* badCallsOf(route: Route, known: Known): Generator<BadCall> {
  const parts: Record<'params' | 'query' | 'body', Schema> = {
    params: route.params ?? {},
    query: route.query ?? {},
    body: route.body ?? {},
  };
  for (const part of ['params', 'query', 'body'] as const) {
    if (!route[part]) continue;
    for (const field of textFieldsOf(parts[part], known)) {
      for (const [kind, text] of badTextsOf(field.schema)) {
        const given = {
          params: objectOf(parts.params, known),
          query: objectOf(parts.query, known),
          body: objectOf(parts.body, known),
          [part]: field.put(text),
        };
        yield {
          title: `${route.method} ${route.path}: ${kind} in ${part}${field.at}`,
          method: route.method,
          url: urlOf(route.path, Object(given.params), Object(given.query)),
          body: route.body ? given.body : undefined,
          isForm: route.multipart === true,
          refusal: refusalOf(kind, field, { isJson: part === 'body' && !route.multipart }),
        };
      }
    }
  }
}

function* badTextsOf({ maxLength }: Schema): Generator<[kind: string, text: string]> {
  yield* Object.entries(BAD_TEXTS);
  if (maxLength !== undefined) yield ['a text too long', 'x'.repeat(maxLength + 1)];
}

/** A secret may be any text. */
const SECRET = /\/(?:current_)?password$|\/code$/;

function refusalOf(
  kind: string,
  { at, schema: { minLength = 0 } }: TextField,
  { isJson }: { isJson: boolean },
): BadCall['refusal'] {
  if (kind === 'zero-width characters') return minLength > 0 && !SECRET.test(at) ? 'somehow' : undefined;
  if (kind === 'control characters') return undefined;
  if (isJson) return 'exactly';
  // Addresses and forms are UTF-8, where half a pair becomes a replacement character.
  return /half/.test(kind) ? undefined : 'somehow';
}

function urlOf(path: string, params: Record<string, unknown>, query: Record<string, unknown>): string {
  const encode = (value: unknown) =>
    encodeURIComponent(String(value).toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(params[name]));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled;
}

/** @returns what is wrong with the answer to a bad call; none if it is right */
export function complaintOf({ title, refusal }: BadCall, status: number, text: string): string[] {
  const answer = `${title}: ${status} ${text.slice(0, 120)}`;
  if (status >= 500) return [answer];
  const { code }: { code?: unknown } = status >= 400 ? Object(JSON.parse(text)) : {};
  if (status >= 400 && (typeof code !== 'string' || !Object.hasOwn(ERRORS, code))) return [answer];
  if (refusal === 'exactly') return status === 400 && code === 'VALIDATION_FAILED' ? [] : [answer];
  return refusal === 'somehow' && ![400, 404, 409, 415, 422].includes(status) ? [answer] : [];
}
