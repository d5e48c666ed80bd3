import type { FastifyReply, FastifyRequest } from 'fastify';
import { THEME_COOKIE, type Theme } from '../../../shared/boot.ts';
import type { SharedAnswer } from '../answers/shared-answer.ts';
import { decodedSegments, encodedPath, queryOf } from '../proxy/path.ts';
import { forwardedHeaders } from '../proxy/request-headers.ts';
import { pageHeaders } from '../security-headers.ts';
import { findSession, sessionViewOf } from '../session/current.ts';
import { ANONYMOUS } from '../session/session.ts';
import { makePage, type PageRequest } from './page.ts';
import type { PageParts } from './parts.ts';
import { surroundingsOf } from './surroundings.ts';

/** Milliseconds for which a page without a session is shared. */
const SHARED_FOR = 5000;

/** Places from which a browser sends Strict cookies along, so that none means nobody is signed in. */
const TELLING_SITES: ReadonlySet<unknown> = new Set(['same-origin', 'same-site', 'none']);

export function createPageHandler(
  parts: PageParts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const headers = {
    ...pageHeaders(parts.config, parts.entry.inlineHashes),
    vary: 'Cookie, Accept-Language, Accept-Encoding, Sec-Fetch-Site, User-Agent',
  };
  return async (request, reply) => {
    const hasFreshToken = await findSession(request, 'slide');
    const page = await pageRequest(parts, request, hasFreshToken);
    const answer = await (request.session ? makePage(parts, page) : sharedPage(parts, request, page));
    reply.headers(headers).header('cache-control', request.session ? 'no-store' : 'no-cache');
    return parts.sendShared(request, reply, answer, 'pages');
  };
}

async function pageRequest(
  parts: PageParts,
  request: FastifyRequest,
  hasFreshToken: boolean,
): Promise<PageRequest> {
  const { headers, session, sessionState } = request;
  const target = request.raw.url ?? '/';
  const language = parts.chooseLanguage(request, target);
  const isTelling = TELLING_SITES.has(headers['sec-fetch-site']);
  const isUnknown = sessionState?.kind === 'anonymous' && !sessionState.stale && !isTelling;
  return {
    target,
    language,
    theme: themeOf(request.cookies[THEME_COOKIE]),
    surroundings: surroundingsOf(parts.config, request),
    session: isUnknown ? null : await sessionViewOf(request, hasFreshToken),
    bearer: session?.access_token,
    tokens: session ? await request.sessionTokens() : [],
    withData: !session || hasFreshToken,
    headers: forwardedHeaders(request, { publicUrl: new URL(parts.config.publicUrl), language }),
  };
}

/**
 * The same page for everybody who is not signed in and reads this language in this theme. To have one made counts as a
 * call of theirs.
 */
function sharedPage(parts: PageParts, request: FastifyRequest, asked: PageRequest): Promise<SharedAnswer> {
  const page = { ...asked, target: targetOf(parts.entry, asked.target) };
  const key = JSON.stringify([
    page.language,
    page.theme,
    page.surroundings,
    page.session === null ? 'unknown' : 'anonymous',
    page.target,
  ]);
  const session = page.session === null ? null : ANONYMOUS;
  const make = () => makePage(parts, { ...page, session, bearer: undefined, tokens: [] });
  const mayMake = () => parts.consume(request, 'anonymous');
  return parts.pageCache.take(key, SHARED_FOR, make, { mayMake });
}

/** What of an address the document depends on; paths are refused before that mean more than one thing. */
function targetOf(entry: PageParts['entry'], target: string): string {
  const segments = decodedSegments(target);
  return entry.target(segments ? encodedPath(segments) + queryOf(target) : target);
}

function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
