import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { type Admitted, admit } from '../session/admit.ts';
import { isAdmin } from '../session/roles.ts';
import { passOn } from './call.ts';
import { helpcenterPath } from './helpcenter.ts';
import type { ProxyParts } from './parts.ts';
import { decodedSegments, encodedPath, queryOf } from './path.ts';
import { type ProxyRoute, UPLOAD_BYTES } from './table.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

const NOBODY: Admitted = { kind: 'anonymous', stale: false };

/** Passes the calls of one route on. */
export function routeHandler(parts: ProxyParts, proxied: ProxyRoute): Handler {
  const { route } = proxied;
  const isFile = route?.file === true;
  const upstream = parts.upstreams[proxied.upstream];

  return async (request, reply) => {
    const publishToken = parts.publishTokenOf(request);
    const needsVisit = proxied.bearer && publishToken === undefined;
    const visit = needsVisit ? await admit(parts.sessions, request, reply, proxied.access) : NOBODY;
    const target = encodedPath(segmentsOf(request)) + queryOf(request.raw.url ?? '');
    const { bodyLimit, answersUser } = proxied;
    const call = { visit, publishToken, upstream, target, bodyLimit, isFile, answersUser };
    await passOn(parts, request, reply, call);
    return undefined;
  };
}

/** Passes the whole prefix on, in the admin area to the manager variant and for administrators alone. */
export function helpcenterHandler(parts: ProxyParts): Handler {
  return async (request, reply) => {
    const asked = helpcenterPath(segmentsOf(request), request.headers[PAGE_PATH_HEADER]);
    const visit = await admit(parts.sessions, request, reply, asked.adminOnly ? 'admin' : 'all');
    if (asked.adminOnly) {
      const role = visit.kind === 'signed-in' ? await parts.roleOf(visit.session) : null;
      if (!isAdmin(role)) throw appError('FORBIDDEN');
    }
    await passOn(parts, request, reply, {
      visit,
      upstream: parts.upstreams.helpcenter,
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
