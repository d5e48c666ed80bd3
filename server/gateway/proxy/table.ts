import type { HTTPMethods } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import type { Access, Route } from '../../../shared/route.ts';
import { fastifyPath } from '../../http/implement.ts';
import type { Upstreams } from '../upstream.ts';

/** A method and path that is proxied. */
export type ProxyRoute = {
  /** `*`: all but OPTIONS. */
  method: string;
  /** Path with `{key}` parameters, as the contract writes it. */
  path: string;
  upstream: Exclude<keyof Upstreams, 'collector'>;
  /** The gateway checks only whether there is a session; the service checks roles. */
  access: Access;
  /** The session is authenticated and its access token sent; not for public files and the sign-in page. */
  bearer: boolean;
  /** The response contains user info: token fields are removed. */
  answersUser: boolean;
  /** Bytes. */
  bodyLimit: number;
  /** The contract's route; undefined for routes of EXTRA_CMT_ROUTES. */
  route?: Route;
};

export const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** HTTP methods of a route. */
export function methodsOf({ method }: ProxyRoute): string[] {
  if (method === '*') return METHODS.filter((known) => known !== 'OPTIONS');
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Whether design tools may make a call: it is part of the Client API. */
export const isOfClientApi = (called: ProxyRoute | undefined): boolean => called?.route?.client === true;

/** Routes of a service by method and Fastify's path, such as `GET /api/cmt/plugin/list`. */
export type ProxyRoutes = ReadonlyMap<string, ProxyRoute>;

/** Of several routes with the same method and path, the last one counts. */
export function byMethodAndPath(routes: readonly ProxyRoute[]): ProxyRoutes {
  return new Map(
    routes.flatMap((route) =>
      methodsOf(route).map((method): [string, ProxyRoute] => [`${method} ${fastifyPath(route.path)}`, route]),
    ),
  );
}

const JSON_BYTES = 1024 * 1024;
/** Room for three videos of the maximum size and their pictures (shared/constants.ts). */
const UPLOAD_BYTES = 384 * 1024 * 1024;

/** A pattern of EXTRA_CMT_ROUTES. */
const EXTRA = /^(GET|POST|PUT|PATCH|DELETE)\s+(\/api\/cmt(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~-]+|\{\w+\}))+)$/;

/**
 * All routes proxied to community and identity: the contract, and the `METHOD /path` patterns of EXTRA_CMT_ROUTES.
 * `signInPage`: false if an external provider has the sign-in page; `members`: false if accounts are not local.
 * @throws Error for an invalid pattern or one outside /api/cmt
 */
export function proxyTable(
  extraRoutes: readonly string[],
  { signInPage = true, members = true } = {},
): ProxyRoute[] {
  const known = Object.values<Route>(contract)
    .filter(({ ownAccounts }) => ownAccounts !== true || members)
    .filter(({ service, access }) => service !== 'identity' || (access === 'all' ? signInPage : members))
    .flatMap((route) => proxyRouteOf(route) ?? []);
  const names = new Set(known.map(({ method, path }) => `${method} ${path}`));
  const added = withKnownPaths(extraRoutes.map(parseExtra), known);
  return [...known, ...added.filter(({ method, path }) => !names.has(`${method} ${path}`))];
}

/** Routes with the parameter names of earlier ones: Fastify takes a path once, whatever its parameters are called. */
function withKnownPaths(routes: readonly ProxyRoute[], known: readonly ProxyRoute[]): ProxyRoute[] {
  const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  const paths = new Map([...routes, ...known].map(({ path }) => [shapeOf(path), path]));
  return routes.map((route) => ({ ...route, path: paths.get(shapeOf(route.path)) ?? route.path }));
}

/** The whole prefix is proxied to the help center (R 10.15). */
export function isHelpcenterPath(path: string): boolean {
  return path.startsWith('/api/helpcenter/');
}

const HELPCENTER_CALLS = Object.values<Route>(contract).filter(({ path }) => isHelpcenterPath(path));

/** The help center's prefix, and the calls of the contract below it, for their rate limits. */
export const HELPCENTER_ROUTES: readonly ProxyRoute[] = [
  helpcenterRoute('*', '/api/helpcenter/*'),
  // The other methods of their paths are proxied as well.
  ...HELPCENTER_CALLS.map(({ path }) => helpcenterRoute('*', path)),
  ...HELPCENTER_CALLS.map((route) => helpcenterRoute(route.method, route.path, route)),
];

function helpcenterRoute(method: string, path: string, route?: Route): ProxyRoute {
  return {
    ...{ method, path, upstream: 'helpcenter', access: 'all', bearer: true, answersUser: false },
    bodyLimit: UPLOAD_BYTES,
    ...(route && { route }),
  };
}

function proxyRouteOf(route: Route): ProxyRoute | undefined {
  const { service, method, path, access, multipart, file, answersUser, sendsSession, shared } = route;
  if (service === 'gateway' || isHelpcenterPath(path)) return undefined;
  return {
    method,
    path,
    upstream: service,
    access,
    bearer:
      access !== 'all' ||
      (service === 'community' && shared === undefined && (!file || sendsSession === true)),
    // All responses of a user service may contain user info.
    answersUser: answersUser === true || (service === 'identity' && !file),
    bodyLimit: multipart ? UPLOAD_BYTES : JSON_BYTES,
    route,
  };
}

function parseExtra(pattern: string): ProxyRoute {
  const [, method, path] = EXTRA.exec(pattern) ?? [];
  if (method === undefined || path === undefined) {
    throw new Error(`EXTRA_CMT_ROUTES must hold patterns such as "GET /api/cmt/x/{key}", not "${pattern}"`);
  }
  return {
    ...{ method, path, upstream: 'community', access: 'all' },
    ...{ bearer: true, answersUser: false, bodyLimit: UPLOAD_BYTES },
  };
}
