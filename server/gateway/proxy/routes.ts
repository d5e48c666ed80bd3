import type { FastifyInstance } from 'fastify';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import { helpcenterHandler, routeHandler } from './handlers.ts';
import { HELPCENTER_CALLS, type ProxyRoute } from './table.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HELPCENTER_METHODS = METHODS.filter((method) => method !== 'OPTIONS');

/** Registers what may pass: the table, the help center's prefix, and a refusal for everything else under /api/. */
export async function registerProxy(app: FastifyInstance, table: readonly ProxyRoute[]): Promise<void> {
  await app.register(async (scope) => {
    /** Bodies are nobody's business here: they pass as they are, whatever their type. */
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));

    for (const proxied of table) {
      scope.route({
        method: proxied.method === 'GET' ? ['GET', 'HEAD'] : proxied.method,
        url: fastifyPath(proxied.path),
        exposeHeadRoute: false,
        ...(proxied.route && { config: { route: proxied.route } }),
        handler: routeHandler(app, proxied),
      });
    }
    const handler = helpcenterHandler(app);
    for (const route of HELPCENTER_CALLS) {
      const url = fastifyPath(route.path);
      scope.route({ method: route.method, url, exposeHeadRoute: false, config: { route }, handler });
    }
    scope.route({ method: HELPCENTER_METHODS, url: '/api/helpcenter/*', exposeHeadRoute: false, handler });
    refuseOtherMethods(scope, table);
    scope.all('/api/*', { exposeHeadRoute: false }, () => {
      throw appError('NOT_FOUND');
    });
  });
}

function refuseOtherMethods(app: FastifyInstance, table: readonly ProxyRoute[]): void {
  const byPath = Map.groupBy(table, ({ path }) => path);
  for (const [path, routes] of byPath) {
    const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
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
