import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { isAdmin } from '../session/roles.ts';
import { decodedSegments, encodedPath, queryOf } from './path.ts';
import type { ProxyRoute } from './table.ts';

/** A call that may pass. */
export type ProxyCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Path and query below the upstream's base address. */
  target: string;
  /** A file keeps the upstream's Cache-Control; other responses to a session are never stored. */
  isFile: boolean;
  /** The response tells of a user: it is read whole, and fields for tokens are taken out. */
  answersUser: boolean;
  /** Tokens that the gateway does not send, but that the service may know and write into its response. */
  tokens: readonly string[];
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the proxy's `onRequest` hooks once a call may pass. */
    proxyCall: ProxyCall | null;
  }
  interface FastifyContextConfig {
    proxied?: ProxyRoute;
  }
}

/** An `onRequest` hook: lets a call pass or refuses it, before anything of its body is read. */
type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Calls of the table pass as their route says. */
export const authorizeByTable: Hook = async (request, reply) => {
  const { proxied } = request.routeOptions.config;
  if (!proxied) throw appError('NOT_FOUND');
  const { access, answersUser, bearer, route } = proxied;
  const isFile = route?.file === true;
  if (bearer && request.publishToken === undefined) {
    const cookies = isFile ? 'none' : route?.background === true ? 'keep' : 'slide';
    await request.authenticate(access, { cookies });
  }
  await letPass(request, reply, { segments: request.segments, isFile, answersUser });
};

/** The whole prefix passes, in the admin area to the manager variant and for administrators alone. */
export const authorizeHelpcenter: Hook = async (request, reply) => {
  const { segments, adminOnly, answersUser } = helpcenterPath(
    request.segments,
    request.headers[PAGE_PATH_HEADER],
  );
  const session = await request.authenticate(adminOnly ? 'admin' : 'all');
  if (adminOnly && !isAdmin(session && (await request.server.roles.of(session)))) throw appError('FORBIDDEN');
  await letPass(request, reply, { segments, isFile: false, answersUser });
};

async function letPass(
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, ...told }: Pick<ProxyCall, 'isFile' | 'answersUser'> & { segments: readonly string[] },
): Promise<void> {
  const target = encodedPath(segments) + queryOf(request.raw.url ?? '');
  const tokens = request.session ? [] : await request.sessionTokens();
  request.proxyCall = { request, reply, target, ...told, tokens };
}

/** What the hooks have let pass. */
export function proxyCallOf({ proxyCall }: Pick<FastifyRequest, 'proxyCall'>): ProxyCall {
  if (!proxyCall) throw new Error('the call has not been authorized');
  return proxyCall;
}

/** Paths of the admin area that have no manager variant (specification section 6). */
const WITHOUT_VARIANT: ReadonlySet<string> = new Set(['user/admininfo', 'upload/picture']);

/** Whether a page path (the X-Page-Path header) lies in the admin area (design section 4). */
export function isAdminArea(pagePath: unknown): boolean {
  if (typeof pagePath !== 'string') return false;
  const segments = decodedSegments(pagePath);
  if (!segments) return false;
  const isBackstage = segments[0] === 'plugins' && segments[1] === 'backstage-index';
  return isBackstage || segments.some((segment) => segment.startsWith('admin'));
}

/** Begins as the manager segment does, for a service that looks no further than path parameters, suffixes or blanks. */
const LIKE_MANAGER = /^[^\p{L}\p{N}]*manager(?![\p{L}\p{N}_-])/u;

/**
 * Whether a decoded segment opens the manager variant; services may look at it without case.
 * @throws AppError BAD_PATH for one that is no such segment here and may be one to a service
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

/** A help-center call as it goes on. */
type HelpcenterCall = {
  segments: readonly string[];
  adminOnly: boolean;
  /** The answer tells of a user, as `answersUser` of the contract. */
  answersUser: boolean;
};

/**
 * The help-center path that is asked for: rewritten to its manager variant for a page of the admin area, and whether it
 * takes an administrator. A manager path takes one whoever names it, so that leaving out the header opens nothing.
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
