import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import type { Access } from '../../../shared/route.ts';
import { appError } from '../../http/errors.ts';
import { fastifyPath } from '../../http/implement.ts';
import { isAdmin } from '../session/roles.ts';
import { decodedSegments, encodedPath, queryOf } from './path.ts';
import { methodsOf, type ProxyRoute, type ProxyRoutes } from './table.ts';

/** An authorized call. */
export type ProxyCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Path and query below the upstream's base address. */
  target: string;
  /** A file keeps the upstream's Cache-Control; other responses to a session are `no-store`. */
  isFile: boolean;
  /** The response contains user info: it is buffered, and token fields are removed. */
  answersUser: boolean;
  /** A read that visitors get as well: it is made without a session whose tokens cannot be refreshed. */
  orAnonymous: boolean;
  /** Tokens that the gateway does not send, but that the service may know and return. */
  tokens: readonly string[];
  /** Headers of the response. */
  headers: Record<string, string>;
  /** A body that is complete before its head is passed on. */
  whole: Buffer | null;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the proxy's `onRequest` hooks when the call is authorized. */
    proxyCall: ProxyCall | null;
  }
  interface FastifyContextConfig {
    /** The proxied routes of this path's service: the library registers all with the same methods and config. */
    proxied?: ProxyRoutes;
  }
}

/** An `onRequest` hook, so that a refused call is refused before its body is read. */
type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Authorizes calls by the proxy table. */
export const authorizeByTable: Hook = async (request, reply) => {
  const { access, answersUser, bearer, route } = proxyRouteOf(request);
  const isFile = route?.file === true;
  if (bearer && request.bearerToken === undefined) {
    const cookies = isFile ? 'none' : route?.background === true ? 'keep' : 'slide';
    await request.authenticate(access, { cookies, orAnonymous: isPublicRead(request, access) });
  }
  const { segments } = request;
  const orAnonymous = isPublicRead(request, access);
  const tokens = request.session ? [] : await request.sessionTokens();
  acceptCall(request, reply, { segments, isFile, answersUser, orAnonymous, tokens });
};

/** @throws AppError METHOD_NOT_ALLOWED */
function proxyRouteOf({ proxyRoute, routeOptions: { config, url } }: FastifyRequest): ProxyRoute {
  if (proxyRoute) return proxyRoute;
  const routes = config.proxied?.values() ?? [];
  const allowed = [...new Set(routes)].filter(({ path }) => fastifyPath(path) === url).flatMap(methodsOf);
  throw appError('METHOD_NOT_ALLOWED', { headers: { allow: allowed.join(', ') } });
}

/** Authorizes help-center calls. All paths are allowed; those of the manager variant only for administrators. */
export const authorizeHelpcenter: Hook = async (request, reply) => {
  const { segments, adminOnly, answersUser } = helpcenterPath(
    request.segments,
    request.headers[PAGE_PATH_HEADER],
  );
  const access = adminOnly ? 'admin' : 'all';
  const orAnonymous = isPublicRead(request, access);
  const session = await request.authenticate(access, { orAnonymous });
  if (adminOnly && !isAdmin(session && (await request.server.roles.of(session)))) throw appError('FORBIDDEN');
  const tokens = request.session ? [] : await request.sessionTokens();
  acceptCall(request, reply, { segments, isFile: false, answersUser, orAnonymous, tokens });
};

function isPublicRead({ method }: FastifyRequest, access: Access): boolean {
  return access === 'all' && (method === 'GET' || method === 'HEAD');
}

function acceptCall(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    segments,
    ...flags
  }: Pick<ProxyCall, 'isFile' | 'answersUser' | 'orAnonymous' | 'tokens'> & { segments: readonly string[] },
): void {
  const target = encodedPath(segments) + queryOf(request.raw.url ?? '');
  request.proxyCall = { request, reply, target, ...flags, headers: {}, whole: null };
}

/** The authorized call of a request. */
export function proxyCallOf({ proxyCall }: Pick<FastifyRequest, 'proxyCall'>): ProxyCall {
  if (!proxyCall) throw new Error('the call has not been authorized');
  return proxyCall;
}

/** Paths without a manager variant (R 10.14). */
const WITHOUT_VARIANT: ReadonlySet<string> = new Set(['user/admininfo', 'upload/picture']);

/** Whether a page path (the X-Page-Path header) is in the admin area (R 2.15). */
export function isAdminArea(pagePath: unknown): boolean {
  if (typeof pagePath !== 'string') return false;
  const segments = decodedSegments(pagePath);
  if (!segments) return false;
  const isBackstage = segments[0] === 'plugins' && segments[1] === 'backstage-index';
  return isBackstage || segments.some((segment) => segment.startsWith('admin'));
}

/** A service that ignores path parameters, suffixes or blanks would read these as the manager segment. */
const LIKE_MANAGER = /^[^\p{L}\p{N}]*manager(?![\p{L}\p{N}_-])/u;

/**
 * Whether a decoded segment selects the manager variant. Case-insensitive, because services may be.
 * @throws AppError BAD_PATH for a segment that a service could read as `manager`
 */
function isManagerSegment(segment: string): boolean {
  if (segment.toLowerCase() === 'manager') return true;
  const read = segment
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  if (LIKE_MANAGER.test(read)) throw appError('BAD_PATH');
  return false;
}

/** A help-center call to the upstream. `answersUser`: as in the contract. */
type HelpcenterCall = { segments: readonly string[]; adminOnly: boolean; answersUser: boolean };

/**
 * The upstream path of a help-center call: rewritten to the manager variant for pages of the admin area. A manager path
 * always requires an administrator, with or without the header.
 * @throws AppError BAD_PATH
 */
export function helpcenterPath(segments: readonly string[], pagePath: unknown): HelpcenterCall {
  const [api = '', helpcenter = '', ...rest] = segments;
  const named = rest.filter(isManagerSegment);
  const answersUser = rest.find((segment) => !named.includes(segment)) === 'user';
  if (named.length > 0) return { segments, adminOnly: true, answersUser };
  if (!isAdminArea(pagePath) || WITHOUT_VARIANT.has(rest.join('/'))) {
    return { segments, adminOnly: false, answersUser };
  }
  return { segments: [api, helpcenter, 'manager', ...rest], adminOnly: true, answersUser };
}
