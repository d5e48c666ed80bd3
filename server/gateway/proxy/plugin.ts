import { Readable } from 'node:stream';
import { fastifyCompress } from '@fastify/compress';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import { hasLocalAccounts } from '../sign-in/login-params.ts';
import type { Upstream } from '../upstream.ts';
import { authorizeByTable, authorizeHelpcenter, proxyCallOf } from './access.ts';
import { connectionsTo, headersOf } from './exchange.ts';
import { readBody } from './request.ts';
import { COMPRESSION } from './response-headers.ts';
import { HELPCENTER_ROUTES, METHODS, methodsOf, type ProxyRoute, proxyTable } from './table.ts';

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
