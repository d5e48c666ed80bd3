import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { BodyOf, DataOf, ParamsOf, QueryOf, Route } from '../../shared/route.ts';
import { envelopeOf } from './compilers.ts';

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

/** Whether If-None-Match contains this ETag (RFC 9110 section 13.1.2, weak comparison). */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
