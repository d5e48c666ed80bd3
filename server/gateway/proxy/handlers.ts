import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_PATH_HEADER } from '../../../shared/constants.ts';
import type { Route } from '../../../shared/route.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import { sharedTarget } from '../answers/anonymous-reads.ts';
import { recordOf } from '../request-record.ts';
import { type Admitted, admit } from '../session/admit.ts';
import { isAdmin } from '../session/roles.ts';
import { passOn } from './call.ts';
import { helpcenterPath } from './helpcenter.ts';
import type { ProxyParts } from './parts.ts';
import { decodedSegments, encodedPath, queryOf } from './path.ts';
import { forwardedHeaders } from './request-headers.ts';
import { type ProxyRoute, UPLOAD_BYTES } from './table.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Characters of addresses whose one spelling is remembered, for each route. */
const TARGET_BYTES = 256 * 1024;

const NOBODY: Admitted = { kind: 'anonymous', stale: false };

/** Passes the calls of one route on; anonymous cacheable reads are answered from the shared store. */
export function routeHandler(parts: ProxyParts, proxied: ProxyRoute): Handler {
  const { route } = proxied;
  const isFile = route?.file === true;
  const { cache } = route ?? {};
  const upstream = parts.upstreams[proxied.upstream];

  const targets = boundedMap<string>({
    limit: TARGET_BYTES,
    weigh: (target, url) => target.length + url.length,
  });
  /** Every spelling that visitors use is looked at once. */
  const targetOf = (read: Route, request: FastifyRequest): string => {
    const url = request.raw.url ?? '';
    const known = targets.get(url);
    if (known !== undefined) return known;
    const path = encodedPath(segmentsOf(request));
    const target = sharedTarget(read, path, new URLSearchParams(queryOf(url)));
    targets.set(url, target);
    return target;
  };

  return async (request, reply) => {
    const publishToken = parts.publishTokenOf(request);
    const needsVisit = proxied.bearer && publishToken === undefined;
    const visit = needsVisit ? await admit(parts.sessions, request, reply, proxied.access) : NOBODY;
    if (route && cache !== undefined && visit.kind === 'anonymous') {
      return answerFromShared(parts, request, reply, { visit, cache, target: targetOf(route, request) });
    }
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

async function answerFromShared(
  parts: ProxyParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { visit, cache, target }: { visit: Admitted; cache: number; target: string },
): Promise<FastifyReply> {
  const language = parts.chooseLanguage(request);
  const answer = await parts.anonymousReads({
    upstream: 'community',
    cache,
    target,
    language,
    headers: () => forwardedHeaders(request, { publicUrl: parts.publicUrl, language }),
    note: (upstream) => {
      recordOf(request).upstream = upstream;
    },
  });
  const cookies = parts.sessions.cookies(visit, request.cookies, { slide: false });
  setCookies(reply, cookies);
  if (cookies.length === 0) reply.header('cache-control', 'no-cache');
  return parts.sendShared(request, reply, answer, 'answers');
}
