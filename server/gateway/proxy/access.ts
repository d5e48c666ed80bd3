import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { isAdmin } from '../session/roles.ts';
import { helpcenterPath } from './helpcenter.ts';
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
  /** The client has left before it had its response. */
  hasLeft: boolean;
  /** Ends the request to the upstream, whatever its state. */
  abort: () => void;
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
  const isFile = proxied.route?.file === true;
  if (proxied.bearer && request.publishToken === undefined) {
    const cookies = isFile ? 'none' : proxied.route?.background === true ? 'keep' : 'slide';
    await request.authenticate(proxied.access, { cookies });
  }
  const { answersUser } = proxied;
  await pass(request, reply, { segments: segmentsOf(request), isFile, answersUser });
};

/** The whole prefix passes, in the admin area to the manager variant and for administrators alone. */
export function authorizeHelpcenter({ roles }: FastifyInstance): Hook {
  return async (request, reply) => {
    const { adminOnly, ...asked } = helpcenterPath(segmentsOf(request), request.headers[PAGE_PATH_HEADER]);
    const session = await request.authenticate(adminOnly ? 'admin' : 'all');
    if (adminOnly) {
      const role = session && (await roles.of(session));
      if (!isAdmin(role)) throw appError('FORBIDDEN');
    }
    await pass(request, reply, { ...asked, isFile: false });
  };
}

/** What the hooks have let pass. */
export function proxyCallOf({ proxyCall }: Pick<FastifyRequest, 'proxyCall'>): ProxyCall {
  if (!proxyCall) throw new Error('the call has not been authorized');
  return proxyCall;
}

async function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, ...asked }: Pick<ProxyCall, 'isFile' | 'answersUser'> & { segments: readonly string[] },
): Promise<void> {
  const call: ProxyCall = {
    ...asked,
    request,
    reply,
    target: encodedPath(segments) + queryOf(request.raw.url ?? ''),
    tokens: request.session ? [] : await request.sessionTokens(),
    hasLeft: reply.raw.destroyed,
    abort: () => undefined,
  };
  request.proxyCall = call;
  reply.raw.once('close', () => {
    if (reply.raw.writableFinished) return;
    call.hasLeft = true;
    call.abort();
  });
}

function segmentsOf(request: FastifyRequest): string[] {
  const segments = decodedSegments(request.raw.url ?? '');
  if (!segments) throw appError('BAD_PATH');
  return segments;
}
