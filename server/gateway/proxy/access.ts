import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { isAdmin } from '../session/roles.ts';
import { helpcenterPath } from './helpcenter.ts';
import { encodedPath, queryOf } from './path.ts';
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
  const target = targetOf(request, request.segments);
  const tokens = request.session ? [] : await request.sessionTokens();
  request.proxyCall = { request, reply, target, isFile, answersUser, tokens };
};

/** The whole prefix passes, in the admin area to the manager variant and for administrators alone. */
export const authorizeHelpcenter: Hook = async (request, reply) => {
  const { segments, adminOnly, answersUser } = helpcenterPath(
    request.segments,
    request.headers[PAGE_PATH_HEADER],
  );
  const session = await request.authenticate(adminOnly ? 'admin' : 'all');
  if (adminOnly && !isAdmin(session && (await request.server.roles.of(session)))) throw appError('FORBIDDEN');
  const target = targetOf(request, segments);
  const tokens = request.session ? [] : await request.sessionTokens();
  request.proxyCall = { request, reply, target, isFile: false, answersUser, tokens };
};

const targetOf = ({ raw }: FastifyRequest, segments: readonly string[]): string =>
  encodedPath(segments) + queryOf(raw.url ?? '');

/** What the hooks have let pass. */
export function proxyCallOf({ proxyCall }: Pick<FastifyRequest, 'proxyCall'>): ProxyCall {
  if (!proxyCall) throw new Error('the call has not been authorized');
  return proxyCall;
}
