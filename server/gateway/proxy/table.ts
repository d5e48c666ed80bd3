import type { HTTPMethods } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import type { Access, Route } from '../../../shared/route.ts';
import type { Upstreams } from '../upstream.ts';

/** A method and path that may pass, and to whom. */
export type ProxyRoute = {
  /** `*`: all but OPTIONS. */
  method: string;
  /** Path with `{key}` parameters, as the contract writes it. */
  path: string;
  upstream: Exclude<keyof Upstreams, 'collector'>;
  /** What the gateway itself asks for before it passes a call on; the service checks roles. */
  access: Access;
  /** The session counts and its access token goes along; not for public files and the sign-in page. */
  bearer: boolean;
  /** The answer tells of a user: fields for tokens are taken out of it. */
  answersUser: boolean;
  /** Bytes a body may have. */
  bodyLimit: number;
  /** The contract's route, absent for routes a deployment has added. */
  route?: Route;
};

export const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Methods that a route answers. */
export function methodsOf({ method }: ProxyRoute): string[] {
  if (method === '*') return METHODS.filter((known) => known !== 'OPTIONS');
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

const JSON_BYTES = 1024 * 1024;
/** Three videos of the largest size and their pictures fit in (shared/constants.ts). */
const UPLOAD_BYTES = 384 * 1024 * 1024;

/** Calls of a private deployment's own are not known to take JSON only. */
const EXTRA = /^(GET|POST|PUT|PATCH|DELETE)\s+(\/api\/cmt(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~-]+|\{\w+\}))+)$/;

/**
 * Everything that passes to community and identity: the contract, and `METHOD /path` patterns of EXTRA_CMT_ROUTES.
 * `signInPage`: false where a provider has sign-in pages of its own, and identity is not there. `members`: false where
 * accounts are kept elsewhere.
 * @throws Error for a pattern that is none, or lies outside /api/cmt.
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
  const added = extraRoutes.map(parseExtra).filter(({ method, path }) => !names.has(`${method} ${path}`));
  return [...known, ...added];
}

/** What lies under the help center's prefix, which passes whole (design section 4). */
export function isHelpcenterPath(path: string): boolean {
  return path.startsWith('/api/helpcenter/');
}

/** The help center's whole prefix, and the calls under it that the contract knows, for their limits. */
export const HELPCENTER_ROUTES: readonly ProxyRoute[] = [
  ...Object.values<Route>(contract)
    .filter(({ path }) => isHelpcenterPath(path))
    .map((route) => helpcenterRoute(route.method, route.path, route)),
  helpcenterRoute('*', '/api/helpcenter/*'),
];

function helpcenterRoute(method: string, path: string, route?: Route): ProxyRoute {
  return {
    ...{ method, path, upstream: 'helpcenter', access: 'all', bearer: true, answersUser: false },
    bodyLimit: UPLOAD_BYTES,
    ...(route && { route }),
  };
}

function proxyRouteOf(route: Route): ProxyRoute | undefined {
  const { service, method, path, access, multipart, file, answersUser } = route;
  if (service === 'gateway' || isHelpcenterPath(path)) return undefined;
  return {
    method,
    path,
    upstream: service,
    access,
    bearer: access !== 'all' || (service === 'community' && !file),
    // Whatever a user service answers is about a user.
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
