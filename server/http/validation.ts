import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Clean, Convert, Default } from 'typebox/value';

/** Parts of a request that arrive as text, where "1" may stand for 1. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['querystring', 'params']);

/**
 * Validates by the contract's TypeBox schemas. Query and path parameters are converted from text and get their
 * defaults; a body must have its types right as it is. What a schema does not name is taken out: a handler that hands
 * on all it was given hands on nothing that nobody has looked at.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
  const isText = TEXT_PARTS.has(httpPart ?? '');
  return (value: unknown) => {
    const candidate = isText ? Convert(schema, Default(schema, { ...Object(value) })) : value;
    if (check.Check(candidate)) return { value: Clean(schema, candidate) };
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
