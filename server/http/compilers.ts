import stringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Clean, Convert, Default } from 'typebox/value';

/** Makes a value of a schema once. Schemas of the contract are constants, which several routes and apps of a process share. */
function oncePerSchema<Value>(make: (schema: TSchema) => Value): (schema: TSchema) => Value {
  const made = new WeakMap<TSchema, Value>();
  return (schema) => {
    const value = made.get(schema) ?? make(schema);
    made.set(schema, value);
    return value;
  };
}

const compiledOf = oncePerSchema((schema) => Compile(schema));
const serializerOf = oncePerSchema((schema) => stringify(schema));

/** The schema of a response with this `data`. */
export const envelopeOf = oncePerSchema(
  (data): TSchema => Type.Object({ code: Type.Integer(), message: Type.String(), data }),
);

/** Serializes with the contract's TypeBox schemas. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => serializerOf(schema);

/** Parts of a request whose values are text and must be converted. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['querystring', 'params']);

/**
 * Validates with the contract's TypeBox schemas. Query and path parameters are converted from text and get their
 * defaults; bodies are not converted. Fields that are not in the schema are removed. Text must not contain NUL
 * or half of a surrogate pair, which PostgreSQL cannot store (R 10.28).
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = compiledOf(schema);
  const isText = TEXT_PARTS.has(httpPart ?? '');
  return (value: unknown) => {
    const candidate = isText ? Convert(schema, Default(schema, { ...Object(value) })) : value;
    if (check.Check(candidate)) {
      const value = Clean(schema, candidate);
      const flaw = findFlaw(value);
      return flaw ? { error: [{ keyword: 'pattern', schemaPath: '', params: {}, ...flaw }] } : { value };
    }
    return {
      error: check.Errors(candidate).map((found) => ({
        keyword: found.keyword,
        instancePath: found.instancePath,
        schemaPath: found.schemaPath,
        params: {},
        message: found.message,
      })),
    };
  };
};

/** What PostgreSQL cannot store in a text, or not as JSON. */
function flawOf(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL';
  return text.isWellFormed() ? undefined : 'must not contain half of a surrogate pair';
}

/** The first flaw in a text or name, at any depth, with its JSON pointer (RFC 6901); undefined if there is none. */
function findFlaw(value: unknown, instancePath = ''): { instancePath: string; message: string } | undefined {
  if (typeof value === 'string') {
    const message = flawOf(value);
    return message === undefined ? undefined : { instancePath, message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const message = flawOf(key);
    if (message !== undefined) return { instancePath, message };
    const found = findFlaw(part, `${instancePath}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
