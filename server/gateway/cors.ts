import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isOfClientApi } from './proxy/table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The origin of a design tool whose page makes this call; undefined for all other requests. */
    clientOrigin: string | undefined;
  }
  interface FastifyContextConfig {
    /** The method by which pages of design tools may call this path. */
    crossOrigin?: 'GET' | 'POST';
  }
}

/** Headers that a design tool's page may send; a browser asks for each that is not harmless. */
const ALLOWED_HEADERS = [
  'accept-language',
  'authorization',
  'content-type',
  'dpop',
  'if-none-match',
  'if-range',
  'range',
].join(', ');

/** Headers that it may read, beside those that every page may. */
const EXPOSED_HEADERS = [
  'accept-ranges',
  'content-digest',
  'content-range',
  'date',
  'dpop-nonce',
  'etag',
  'repr-digest',
  'retry-after',
  'www-authenticate',
  'x-jws-signature',
  'x-request-id',
].join(', ');

/** Seconds for which a browser keeps the answer to a preflight; none keeps it longer than two hours. */
const PREFLIGHT_SECONDS = 7200;

/**
 * Pages of CLIENT_ORIGINS may make the calls for design tools (Fetch Standard, CORS protocol): never with credentials, so that no
 * cookie of this site is of use to them. For every other origin and every other call there is not a single header.
 */
export const cors = fp(
  async (app: FastifyInstance) => {
    const origins: ReadonlySet<string> = new Set(app.gateway.config.clientOrigins);
    app.decorateRequest('clientOrigin', undefined);
    if (origins.size === 0) return;
    app.addHook('onRequest', (request, reply, done) => {
      const method = request.method === 'OPTIONS' ? askedMethod(request) : request.method;
      if (!isForClients(request, method)) return done();
      // A cache must not give one origin the answer for another, or for none.
      reply.header('vary', `${reply.getHeader('vary')}, Origin`);
      const { origin, cookie } = request.headers;
      if (origin === undefined || !origins.has(origin) || cookie !== undefined) return done();
      request.clientOrigin = origin;
      reply.header('access-control-allow-origin', origin);
      if (request.method !== 'OPTIONS') {
        reply.header('access-control-expose-headers', EXPOSED_HEADERS);
        return done();
      }
      reply
        .header('access-control-allow-methods', method)
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .code(204)
        .send();
    });
  },
  { name: 'cors', dependencies: ['gateway', 'requests'] },
);

const askedMethod = ({ headers }: FastifyRequest): string | undefined =>
  headers['access-control-request-method'];

/** Whether pages of design tools may call this path by a method. */
function isForClients(
  { routeOptions: { config, url } }: FastifyRequest,
  method: string | undefined,
): method is string {
  if (method === undefined) return false;
  const isCall = isOfClientApi(config.proxied?.get(`${method} ${url}`));
  return isCall || (config.crossOrigin !== undefined && config.crossOrigin === method);
}
