import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { isAdmin } from '../session/roles.ts';
import { proxyRequest } from './call.ts';
import { helpcenterPath } from './helpcenter.ts';
import { decodedSegments, encodedPath, queryOf } from './path.ts';
import { type ProxyRoute, UPLOAD_BYTES } from './table.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Passes the calls of one route on. */
export function routeHandler({ upstreams }: FastifyInstance, proxied: ProxyRoute): Handler {
  const { route } = proxied;
  const isFile = route?.file === true;
  const cookies = isFile ? 'none' : route?.background === true ? 'keep' : 'slide';
  const upstream = upstreams[proxied.upstream];

  return async (request, reply) => {
    if (proxied.bearer && request.publishToken === undefined) {
      await request.authenticate(proxied.access, { cookies });
    }
    const target = encodedPath(segmentsOf(request)) + queryOf(request.raw.url ?? '');
    const { bodyLimit, answersUser } = proxied;
    await proxyRequest(request, reply, { upstream, target, bodyLimit, isFile, answersUser });
    return undefined;
  };
}

/** Passes the whole prefix on, in the admin area to the manager variant and for administrators alone. */
export function helpcenterHandler({ roles, upstreams }: FastifyInstance): Handler {
  return async (request, reply) => {
    const asked = helpcenterPath(segmentsOf(request), request.headers[PAGE_PATH_HEADER]);
    const session = await request.authenticate(asked.adminOnly ? 'admin' : 'all');
    if (asked.adminOnly) {
      const role = session && (await roles.of(session));
      if (!isAdmin(role)) throw appError('FORBIDDEN');
    }
    await proxyRequest(request, reply, {
      upstream: upstreams.helpcenter,
      target: encodedPath(asked.segments) + queryOf(request.raw.url ?? ''),
      bodyLimit: UPLOAD_BYTES,
      isFile: false,
      answersUser: asked.answersUser,
    });
    return undefined;
  };
}

function segmentsOf(request: FastifyRequest): string[] {
  const segments = decodedSegments(request.raw.url ?? '');
  if (!segments) throw appError('BAD_PATH');
  return segments;
}
