import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { decodeJwt } from 'jose';
import { homeLanguage } from '../../shared/deploy-types.ts';
import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  languageOfCookie,
  languageOfHeader,
} from '../../shared/languages.ts';
import type { Route } from '../../shared/route.ts';
import { bearerIn, boundTokenIn } from '../http/authentication.ts';
import { namesOf } from '../http/cookies.ts';
import { appError } from '../http/errors.ts';
import { decodedSegments, queryOf } from './proxy/path.ts';
import type { ProxyRoute } from './proxy/table.ts';
import { answerHeaders } from './security-headers.ts';
import { sessionCookieName } from './session/cookie.ts';
import type { Place } from './session/session.ts';
import { hasLocalAccounts } from './sign-in/login-params.ts';

/** Checks the format only; the community service validates the token. */
const PUBLISH_TOKEN = /^psq_[\w-]{1,100}$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the response; `?lang=` is read for pages only. */
    readonly language: Language;
    /** The call of the contract, if it is one. */
    contractRoute: Route | undefined;
    /** The proxied route; it is not one of the contract if EXTRA_CMT_ROUTES or the help center's prefix adds it. */
    proxyRoute: ProxyRoute | undefined;
    /** Decoded segments of the path; all decisions use them. */
    segments: readonly string[];
    /** The publish token, or access token of a tool, that authenticates this request, if any. */
    readonly bearerToken: string | undefined;
  }
}

/** Sets default headers, refuses ambiguous requests (R 10.2, R 10.5, R 10.6) and decorates requests. */
export const requests = fp(
  async (app: FastifyInstance) => {
    const defaults = {
      ...answerHeaders(app.gateway.publicUrl),
      'cache-control': 'no-store',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    };
    app.decorateRequest('segments');
    app.decorateRequest('contractRoute');
    app.decorateRequest('proxyRoute');
    app.addHook('onRequest', (request, reply, done) => {
      const { method, raw, routeOptions } = request;
      const { config, url } = routeOptions;
      request.proxyRoute = config.proxied?.get(`${method} ${url}`);
      request.contractRoute = request.proxyRoute?.route ?? config.route;
      reply.headers(defaults).header('x-request-id', request.id);
      // Node ignores a second Host header; a proxy in front may use it.
      const hosts = raw.rawHeaders.filter(
        (text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host',
      );
      if (hosts.length !== 1) throw appError('BAD_HOST');
      if (raw.headers.upgrade !== undefined) throw appError('UPGRADE_REFUSED');
      const segments = decodedSegments(raw.url ?? '');
      if (!segments) throw appError('BAD_PATH');
      request.segments = segments;
      done();
    });
    app.decorateRequest('language', {
      getter() {
        return languageOf(this);
      },
    });
    app.decorateRequest('bearerToken', {
      getter() {
        return bearerTokenOf(this);
      },
    });
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (isSharedFile(request, reply)) reply.header('vary', sharedVary(reply));
      done();
    });
  },
  { name: 'requests', dependencies: ['gateway', 'cookies'] },
);

/**
 * Whether the response is a file that is the same for everybody: caches would store it for each session, and browsers load
 * it again after any change of a cookie (R 10.21). Other public responses of a service are in a language.
 */
function isSharedFile({ contractRoute, proxyRoute }: FastifyRequest, reply: FastifyReply): boolean {
  const isFile = proxyRoute === undefined || contractRoute?.file === true;
  return isFile && /(?:^|,)\s*public\b/i.test(String(reply.getHeader('cache-control')));
}

/** Origin stays, because a file says which one may read it (cors.ts). */
const sharedVary = (reply: FastifyReply): string =>
  /\bOrigin\b/.test(String(reply.getHeader('vary'))) ? 'Accept-Encoding, Origin' : 'Accept-Encoding';

/** Whether a request is a call, not a page: a route of the contract, or any path under /api/. */
export function isCall(request: FastifyRequest): boolean {
  return request.contractRoute !== undefined || request.routeOptions.url?.startsWith('/api/') === true;
}

/**
 * The language of the cookie, else of `?lang=`, else the best match of Accept-Language, else the site's default
 * (R 12.4). Languages that the site does not offer are ignored.
 */
function languageOf(request: FastifyRequest): Language {
  const { cookies, headers, raw, server } = request;
  const { deployType, languages } = server.gateway.config;
  const query = isCall(request) ? '' : queryOf(raw.url ?? '');
  const named = query === '' ? undefined : (new URLSearchParams(query).get(LANGUAGE_PARAMETER) ?? undefined);
  const chosen = [cookies[LANGUAGE_COOKIE], named]
    .map(languageOfCookie)
    .find((language) => language && languages.includes(language));
  return (
    chosen ?? languageOfHeader(headers['accept-language'], languages) ?? homeLanguage(deployType, languages)
  );
}

/**
 * `Authorization: Bearer`, or `DPoP` for a token that is bound to a key, is accepted on routes that the contract marks, and only
 * without a session cookie: publish tokens, the access tokens of tools, and with CLIENT_TOKENS those of a user service of another
 * make. Everywhere else the header is dropped, like every Authorization header of a client.
 */
function bearerTokenOf(request: FastifyRequest): string | undefined {
  const { contractRoute, cookies, server } = request;
  if (!contractRoute?.publishToken && !contractRoute?.scope) return undefined;
  const { config, publicUrl, secure } = server.gateway;
  const hasCookie = (place: Place) => namesOf(cookies, sessionCookieName(secure, place)).length > 0;
  if (hasCookie('site') || hasCookie('tool')) return undefined;
  const bound = boundTokenIn(request);
  const token = bound ?? bearerIn(request);
  if (token === undefined) return undefined;
  if (PUBLISH_TOKEN.test(token)) return contractRoute.publishToken && bound === undefined ? token : undefined;
  const isOfTool = hasLocalAccounts(config) && isIssuedBy(token, publicUrl.origin);
  // They have no scopes, so that only the Client API is open to them.
  const isOfUserService =
    config.clientTokens === 'user-service' &&
    bound === undefined &&
    !hasLocalAccounts(config) &&
    contractRoute.client === true;
  return contractRoute.scope && (isOfTool || isOfUserService) ? token : undefined;
}

/** Whether a token claims to be a tool's: the site's own have another issuer, and never come from outside. */
function isIssuedBy(token: string, issuer: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** The rate-limit key of a bearer token; does not reveal it. */
export function bearerTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22);
}
