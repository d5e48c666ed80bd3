import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Clean, Convert, Default } from 'typebox/value';

/** Parts of a request that arrive as text, where "1" may stand for 1. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['querystring', 'params']);

/**
 * Validates by the contract's TypeBox schemas. Query and path parameters are converted from text and get their
 * defaults; a body must have its types right as it is. What a schema does not name is taken out: a handler that hands
 * on all it was given hands on nothing that nobody has looked at. No text may hold NUL, which PostgreSQL has no place for.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const isText = TEXT_PARTS.has(httpPart ?? '');
  return (value: unknown) => {
    const candidate = isText ? Convert(schema, Default(schema, { ...Object(value) })) : value;
    if (check.Check(candidate)) {
      const value = Clean(schema, candidate);
      const pointer = pointerToNul(value);
      return pointer === undefined ? { value } : { error: [nulError(pointer)] };
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

/** Where a text or a name holds the character NUL (RFC 6901), in any depth; undefined when none does. */
function pointerToNul(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? pointer : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (key.includes('\0')) return pointer;
    const found = pointerToNul(part, `${pointer}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nulError(instancePath: string) {
  const message = 'must not contain the character NUL';
  return { keyword: 'pattern', instancePath, schemaPath: '', params: {}, message };
}
