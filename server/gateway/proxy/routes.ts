import { Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, HTTPMethods, onRequestAsyncHookHandler } from 'fastify';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { authorizeByTable, authorizeHelpcenter, proxyCallOf } from './access.ts';
import { drainUnread, readBody } from './body.ts';
import { connectionsTo, requestHeaders } from './exchange.ts';
import { HELPCENTER_ROUTES, type ProxyRoute } from './table.ts';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

type Registration = {
  upstream: Upstream;
  prefix: string;
  routes: readonly ProxyRoute[];
  authorize: onRequestAsyncHookHandler;
};

/** Registers what may pass: the table, the help center's prefix, and a refusal for everything else under /api/. */
export async function registerProxy(app: FastifyInstance, table: readonly ProxyRoute[]): Promise<void> {
  const { community, identity, helpcenter } = app.upstreams;
  const to = (name: ProxyRoute['upstream']) => table.filter(({ upstream }) => upstream === name);
  app.decorateRequest('proxyCall', null);
  await app.register(async (scope) => {
    /** Bodies are nobody's business here: they pass as they are, whatever their type. */
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', readBody);
    const authorize = authorizeByTable;
    await forward(scope, { upstream: community, prefix: '/api/cmt', routes: to('community'), authorize });
    await forward(scope, { upstream: identity, prefix: '/user', routes: to('identity'), authorize });
    await forward(scope, {
      upstream: helpcenter,
      prefix: '/api/helpcenter',
      routes: HELPCENTER_ROUTES,
      authorize: authorizeHelpcenter(app),
    });
    refuseOtherMethods(scope, table);
    scope.all('/api/*', { exposeHeadRoute: false }, () => {
      throw appError('NOT_FOUND');
    });
  });
}

/** Passes routes below a prefix on to an upstream. */
async function forward(
  app: FastifyInstance,
  { upstream, prefix, routes, authorize }: Registration,
): Promise<void> {
  if (routes.length === 0) return;
  await app.register(async (scope) => {
    scope.addHook('onRequest', authorize);
    // The library gives all its routes the same methods and config; they come in the order in which it is given them.
    const rest = routes.values();
    scope.addHook('onRoute', (options) => {
      const { value: proxied } = rest.next();
      if (!proxied) throw new Error(`${options.url} stands in no table`);
      options.method = methodsOf(proxied);
      options.config = { proxied, ...(proxied.route && { route: proxied.route }) };
    });
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
      handler: (request, reply, _path, options) => {
        const { body } = request;
        drainUnread(request, reply);
        // Named as such, or the library writes a buffer of JSON as JSON once more.
        const type = request.headers['content-type'] ?? 'application/octet-stream';
        reply.from('/', Buffer.isBuffer(body) ? { ...options, body, contentType: type } : options);
      },
      replyOptions: {
        timeout: upstream.timeout,
        retryDelay: () => null,
        rewriteRequestHeaders: requestHeaders,
        onResponse: (asked, _reply, { stream }: { stream?: unknown }) => {
          const { request, reply, isFile } = proxyCallOf(asked);
          const { cookies, server } = request;
          const deletions =
            upstream.name === 'identity' && !isFile ? server.knownDevices.clearUnusable(cookies) : [];
          if (deletions.length > 0) reply.header('cache-control', 'no-store');
          setCookies(reply, deletions);
          // The head of a body that takes its time goes out at once.
          if (stream instanceof Readable) reply.raw.once('pipe', () => reply.raw.flushHeaders());
          reply.send(stream);
        },
      },
    });
  });
}

function refuseOtherMethods(app: FastifyInstance, table: readonly ProxyRoute[]): void {
  const byPath = Map.groupBy(table, ({ path }) => path);
  for (const [path, routes] of byPath) {
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
