import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { BodyOf, DataOf, ParamsOf, QueryOf, Route } from '../../shared/route.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}

/** What a handler is given: the validated parts, typed by the contract. */
type Call<R extends Route> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Answered by a handler that has written its reply itself. */
export const WRITTEN: unique symbol = Symbol('written');

export type Handler<R extends Route> = (
  call: Call<R>,
) => Promise<DataOf<R> | typeof WRITTEN> | DataOf<R> | typeof WRITTEN;

/** Asked before the handler of every route: throws UNAUTHENTICATED or FORBIDDEN. */
export type Guard = (route: Route, request: FastifyRequest) => Promise<void>;

/** Guard of routes that anybody may call. */
export const everybody: Guard = async () => undefined;

/** Path of the contract (`{key}`) as Fastify writes it (`:key`). */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/**
 * Registers a route of the contract: method, path, validation, access and the `{ code, message, data }` envelope
 * all come from the table (design section 3). A file route writes its reply itself.
 */
export function implement<R extends Route>(
  app: FastifyInstance,
  guard: Guard,
  route: R,
  handler: Handler<R>,
): void {
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    schema: schemaOf(route),
    config: { route },
    ...(route.bodyBytes !== undefined && { bodyLimit: route.bodyBytes }),
    onRequest: async (request) => guard(route, request),
    handler: async (request, reply) => {
      const data = await handler({
        // Fastify cannot carry the contract's types through a generic; the schemas above have just proved them.
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

/** Schemas of a route as Fastify takes them; a form is read and validated apart. */
export function schemaOf(route: Route): Record<string, unknown> {
  return {
    summary: route.summary,
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && !route.multipart && { body: route.body }),
    ...(route.data && {
      response: { 200: Type.Object({ code: Type.Integer(), message: Type.String(), data: route.data }) },
    }),
  };
}

/** Whether the client says in If-None-Match that it has the representation of this ETag (RFC 9110 section 13.1.2, weak comparison). */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
