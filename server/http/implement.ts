import { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  onSendHookHandler,
} from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Clean, Convert, Default } from 'typebox/value';
import type { BodyOf, DataOf, ParamsOf, QueryOf, Route } from '../../shared/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}

/** The arguments of a handler: validated and typed by the contract. */
type Call<R extends Route> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Returned by a handler that has sent its reply itself. */
export const WRITTEN: unique symbol = Symbol('written');

export type Handler<R extends Route> = (
  call: Call<R>,
) => Promise<DataOf<R> | typeof WRITTEN> | DataOf<R> | typeof WRITTEN;

/** Converts a path of the contract (`{key}`) to Fastify's syntax (`:key`). */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/**
 * Authorizes every route of the contract in one hook of its service, by the route's `access` (R 1.3).
 * @param authorize throws UNAUTHENTICATED, TOKEN_INVALID or FORBIDDEN
 */
export function authorizeRoutes(
  app: FastifyInstance,
  authorize: (route: Route, request: FastifyRequest) => Promise<void>,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { route } = request.routeOptions.config;
    if (!route) return done();
    authorize(route, request).then(() => done(), done);
  });
}

/**
 * Registers a route of the contract with its validation and `{ code, message, data }` envelope (R 14.4). The hook of its
 * service checks the access. The handler of a file route sends its reply itself.
 */
export function implement<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>): void {
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    schema: schemaOf(route),
    config: { route },
    ...(route.bodyBytes !== undefined && { bodyLimit: route.bodyBytes }),
    ...(route.file && { onSend: endStreamOfHead }),
    handler: async (request, reply) => {
      const data = await handler({
        // Fastify cannot infer these types from a generic route; the schemas above have validated them.
        params: request.params as ParamsOf<R>,
        query: request.query as QueryOf<R>,
        body: request.body as BodyOf<R>,
        request,
        reply,
      });
      return route.file || data === WRITTEN ? reply : { code: route.successCode ?? 0, message: 'ok', data };
    },
  });
}

/** Fastify reads the stream of a HEAD request to its end: a store would send a whole file for nothing. */
const endStreamOfHead: onSendHookHandler = (request, _reply, payload, done) => {
  if (request.method === 'HEAD' && payload instanceof Readable) payload.destroy();
  done(null, payload);
};

/** Fastify's schemas of a route. Multipart forms are validated separately. */
export function schemaOf(route: Route): Record<string, unknown> {
  return {
    summary: route.summary,
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && !route.multipart && { body: route.body }),
    ...(route.data && { response: { 200: envelopeOf(route.data) } }),
  };
}

function envelopeOf(data: TSchema): TSchema {
  return Type.Object({ code: Type.Integer(), message: Type.String(), data });
}

/** Whether If-None-Match contains this ETag (RFC 9110 section 13.1.2, weak comparison). */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/** Parts of a request whose values are text and must be converted. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['querystring', 'params']);

/**
 * Validates with the contract's TypeBox schemas. Query and path parameters are converted from text and get their
 * defaults; bodies are not converted. Fields that are not in the schema are removed. Text must not contain NUL
 * or half of a surrogate pair, which PostgreSQL cannot store (R 10.28).
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema);
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
