import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { fastifyCompress } from '@fastify/compress';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import fp from 'fastify-plugin';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import { hasLocalAccounts } from '../sign-in/login-params.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { authorizeByTable, authorizeHelpcenter, proxyCallOf } from './access.ts';
import { connectionsTo, headersOf } from './exchange.ts';
import { COMPRESSION } from './response-headers.ts';
import { HELPCENTER_ROUTES, type ProxyRoute, proxyTable } from './table.ts';

/** A body of this size is read before it is sent, so that it can be sent once more with another token. */
const REPLAYABLE_BYTES = 64 * 1024;

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Calls of the contract that the services behind answer: three registrations of @fastify/http-proxy, and a refusal for
 * everything else under /api/.
 * @throws Error when EXTRA_CMT_ROUTES holds something else than routes
 */
export const proxy = fp(
  async (app: FastifyInstance) => {
    const { config } = app.gateway;
    const { community, identity, helpcenter } = app.upstreams;
    const table = proxyTable(config.extraCmtRoutes, {
      signInPage: app.userService !== undefined,
      members: hasLocalAccounts(config),
    });
    const to = (name: ProxyRoute['upstream']) => table.filter(({ upstream }) => upstream === name);
    app.decorateRequest('proxyCall', null);
    await app.register(async (scope) => {
      /** Bodies are nobody's business here: they pass as they are, whatever their type. */
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', readBody);
      await scope.register(async (calls) => {
        calls.addHook('onRequest', authorizeByTable);
        await forward(calls, community, '/api/cmt', to('community'));
        await forward(calls, identity, '/user', to('identity'));
      });
      await scope.register(async (calls) => {
        calls.addHook('onRequest', authorizeHelpcenter);
        await forward(calls, helpcenter, '/api/helpcenter', HELPCENTER_ROUTES);
      });
      refuseOtherMethods(scope, table);
      scope.all('/api/*', { exposeHeadRoute: false }, () => {
        throw appError('NOT_FOUND');
      });
    });
  },
  { name: 'proxy', dependencies: ['cache', 'csrf', 'requests', 'rate-limit', 'sign-in', 'upstreams'] },
);

/** Passes routes below a prefix on to an upstream. */
async function forward(
  app: FastifyInstance,
  upstream: Upstream,
  prefix: string,
  routes: readonly ProxyRoute[],
): Promise<void> {
  if (routes.length === 0) return;
  await app.register(async (scope) => {
    // The library gives all its routes the same methods and config; they come in the order in which it is given them.
    const rest = routes.values();
    scope.addHook('onRoute', (options) => {
      const { value: proxied } = rest.next();
      if (!proxied) throw new Error(`${options.url} stands in no table`);
      options.method = methodsOf(proxied);
      options.config = { proxied, ...(proxied.route && { route: proxied.route }) };
      options.compress = proxied.route?.compress ? COMPRESSION : false;
    });
    await scope.register(fastifyCompress, COMPRESSION);
    await scope.register(httpProxy, {
      upstream: upstream.origin,
      prefix,
      routes: routes.map(({ path }) => fastifyPath(path).slice(prefix.length)),
      httpMethods: METHODS,
      undici: connectionsTo(upstream),
      internalRewriteLocationHeader: false,
      proxyPayloads: false,
      disableRequestLogging: true,
      // The path that goes on is the call's own; the library would refuse segments that only begin or end with two dots.
      handler: ({ body, headers }, reply, _path, options) => {
        // Named as such, or the library writes a buffer of JSON as JSON once more.
        const contentType = headers['content-type'] ?? 'application/octet-stream';
        reply.from('/', Buffer.isBuffer(body) ? { ...options, body, contentType } : options);
      },
      replyOptions: {
        timeout: upstream.timeout,
        retryDelay: () => null,
        rewriteRequestHeaders: (asked, headers) => headersOf(proxyCallOf(asked), headers),
        onResponse: (asked, _reply, { stream }: { stream?: unknown }) => {
          const { request, reply, isFile } = proxyCallOf(asked);
          if (upstream.name === 'identity' && !isFile) {
            const deletions = request.server.knownDevices.clearUnusable(request.cookies);
            if (deletions.length > 0) reply.header('cache-control', 'no-store');
            setCookies(reply, deletions);
          }
          // The head goes out with what has come of the body, and does not wait for a body that takes its time.
          const flush = () => reply.raw.writableEnded || reply.raw.flushHeaders();
          if (stream instanceof Readable) reply.raw.once('pipe', () => setImmediate(flush));
          reply.send(stream);
        },
      },
    });
  });
}

function refuseOtherMethods(app: FastifyInstance, table: readonly ProxyRoute[]): void {
  for (const [path, routes] of Map.groupBy(table, (route) => route.path)) {
    const allowed = routes.flatMap(methodsOf);
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: fastifyPath(path),
      exposeHeadRoute: false,
      handler: () => {
        throw appError('METHOD_NOT_ALLOWED', { headers: { allow: allowed.join(', ') } });
      },
    });
  }
}

function methodsOf({ method }: ProxyRoute): string[] {
  if (method === '*') return METHODS.filter((known) => known !== 'OPTIONS');
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/**
 * A content type parser: nothing, a buffer that can be sent again, or a stream that passes once and is counted meanwhile.
 * @throws AppError BODY_TOO_LARGE, MALFORMED_BODY
 */
async function readBody(
  request: FastifyRequest,
  raw: IncomingMessage,
): Promise<Buffer | Transform | undefined> {
  const limit = request.routeOptions.config.proxied?.bodyLimit;
  const length = Number(raw.headers['content-length']);
  // What goes nowhere is refused by its handler, whatever its body.
  if (limit === undefined || length === 0) return undefined;
  if (length > limit) throw tooLarge();
  if (!(length <= REPLAYABLE_BYTES)) return passThrough(raw, limit);
  try {
    return Buffer.concat(await raw.toArray());
  } catch (error) {
    throw malformed(error);
  }
}

/** The rest of a refused body is not read: the connection ends with the answer. */
const tooLarge = () => appError('BODY_TOO_LARGE', { headers: { connection: 'close' } });
const malformed = (cause: unknown) => appError('MALFORMED_BODY', { cause });

/** The upstream's client may destroy what it is given; the client's own connection must outlive that for the answer. */
function passThrough(raw: IncomingMessage, limit: number): Transform {
  let counted = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length;
      if (counted > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  stream.on('error', () => undefined);
  // A client that still sends would not see the response.
  stream.once('close', () => raw.resume());
  raw.once('close', () => {
    if (!raw.complete) stream.destroy(malformed(new Error('the client went away')));
  });
  return raw.pipe(stream);
}
