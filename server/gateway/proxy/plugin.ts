import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { fastifyCompress } from '@fastify/compress';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import { hasLocalAccounts } from '../sign-in/login-params.ts';
import type { Upstream } from '../upstream.ts';
import { authorizeByTable, authorizeHelpcenter, proxyCallOf } from './access.ts';
import { connectionsTo, headersOf } from './exchange.ts';
import { COMPRESSION } from './headers.ts';
import { HELPCENTER_ROUTES, METHODS, methodsOf, type ProxyRoute, proxyTable } from './table.ts';

/**
 * Proxies the calls of the contract to the services with three registrations of @fastify/http-proxy, and refuses
 * everything else under /api/.
 * @throws Error if EXTRA_CMT_ROUTES contains anything but routes
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
      // Bodies are forwarded unparsed.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', readBody);
      await scope.register(async (calls) => {
        calls.addHook('onRequest', authorizeByTable);
        await proxyRoutes(calls, community, '/api/cmt', to('community'));
        await proxyRoutes(calls, identity, '/user', to('identity'));
      });
      await scope.register(async (calls) => {
        calls.addHook('onRequest', authorizeHelpcenter);
        await proxyRoutes(calls, helpcenter, '/api/helpcenter', HELPCENTER_ROUTES);
      });
      refuseOtherMethods(scope, table);
      scope.all('/api/*', { exposeHeadRoute: false }, () => {
        throw appError('NOT_FOUND');
      });
    });
  },
  { name: 'proxy', dependencies: ['cache', 'csrf', 'requests', 'rate-limit', 'sign-in', 'upstreams'] },
);

/** Proxies routes below a prefix to an upstream. */
async function proxyRoutes(
  app: FastifyInstance,
  upstream: Upstream,
  prefix: string,
  routes: readonly ProxyRoute[],
): Promise<void> {
  if (routes.length === 0) return;
  await app.register(async (scope) => {
    // The library registers the routes in the given order, but with the same methods and config.
    const remaining = routes.values();
    scope.addHook('onRoute', (options) => {
      const { value: proxied } = remaining.next();
      if (!proxied) throw new Error(`${options.url} is not in the proxy table`);
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
      // The exchange sets the path; the library would refuse segments that only begin or end with two dots.
      handler: ({ body, headers }, reply, _path, options) => {
        // Without it the library would serialize a buffer of JSON again.
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
          // The head must not wait for a slow body.
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

/** Up to this size a body is buffered, so that the call can be replayed with a new token. */
const REPLAYABLE_BYTES = 64 * 1024;

/**
 * A content type parser. Returns undefined for an empty body, a buffer that can be replayed, or a size-limited stream.
 * @throws AppError BODY_TOO_LARGE, MALFORMED_BODY
 */
async function readBody(
  request: FastifyRequest,
  raw: IncomingMessage,
): Promise<Buffer | Transform | undefined> {
  const limit = request.routeOptions.config.proxied?.bodyLimit;
  const length = Number(raw.headers['content-length']);
  // Without a limit the call is not proxied; its handler refuses it.
  if (limit === undefined || length === 0) return undefined;
  if (length > limit) throw tooLarge();
  if (!(length <= REPLAYABLE_BYTES)) return limitedStream(raw, limit);
  try {
    return Buffer.concat(await raw.toArray());
  } catch (error) {
    throw malformed(error);
  }
}

/** The rest of a refused body is not read, so the connection must be closed. */
const tooLarge = () => appError('BODY_TOO_LARGE', { headers: { connection: 'close' } });
const malformed = (cause: unknown) => appError('MALFORMED_BODY', { cause });

/** undici may destroy its input; the client's connection must stay open for the response. */
function limitedStream(raw: IncomingMessage, limit: number): Transform {
  let counted = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length;
      if (counted > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  stream.on('error', () => undefined);
  // A client that is still sending would not read the response.
  stream.once('close', () => raw.resume());
  raw.once('close', () => {
    if (!raw.complete) stream.destroy(malformed(new Error('client disconnected')));
  });
  return raw.pipe(stream);
}
