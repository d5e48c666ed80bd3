import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { UserServiceCall } from '../../shared/user-service.ts';
import { fastifyPath } from '../http/implement.ts';

type OpenCall = UserServiceCall & { bearer: 'none' };

type Part<C, K extends 'query' | 'body'> = C extends { [P in K]: infer S extends TSchema }
  ? Static<S>
  : unknown;
export type CallRequest<C> = {
  params: Readonly<Record<string, string>>;
  query: Part<C, 'query'>;
  body: Part<C, 'body'>;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** Names in paths: third-party sources and products. */
const PathName = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });

/** Registers a call of another of our services, without a bearer token; responds with the envelope `{ code, message, data }`. */
export function implementOpenCall<C extends OpenCall>(
  app: FastifyInstance,
  call: C,
  handler: (callRequest: CallRequest<C>) => Promise<unknown>,
): void {
  implementCall(app, call, { handler });
}

/** Registers a call; `config` says who may call it. */
export function implementCall<C extends UserServiceCall>(
  app: FastifyInstance,
  call: C,
  {
    config = {},
    handler,
  }: {
    config?: FastifyContextConfig;
    handler: (callRequest: CallRequest<C>) => Promise<unknown>;
  },
): void {
  app.route({
    ...routeOf(call),
    config,
    handler: async (request, reply) => {
      const data = await handler(callRequest<C>(request, reply));
      return { code: 0, message: 'ok', data };
    },
  });
}

function callRequest<C extends UserServiceCall>(
  request: FastifyRequest,
  reply: FastifyReply,
): CallRequest<C> {
  return {
    // Fastify loses the call's types in a generic function; its schemas have just validated the values.
    params: request.params as Record<string, string>,
    query: request.query as Part<C, 'query'>,
    body: request.body as Part<C, 'body'>,
    request,
    reply,
  };
}

function routeOf(call: UserServiceCall) {
  const params = paramsOf(call.path);
  return {
    method: call.method,
    url: fastifyPath(`/${call.path}`),
    schema: {
      ...(params && { params }),
      ...(call.query && { querystring: call.query }),
      ...(call.body && { body: call.body }),
    },
  };
}

function paramsOf(path: string): TObject | undefined {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '');
  return names.length > 0
    ? Type.Object(Object.fromEntries(names.map((name) => [name, PathName])))
    : undefined;
}
