import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { homeLanguage } from '../../shared/deploy-types.ts';
import {
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  languageOfCookie,
  languageOfHeader,
} from '../../shared/languages.ts';
import { namesOf } from '../http/cookies.ts';
import { appError } from '../http/errors.ts';
import { decodedSegments, queryOf } from './proxy/path.ts';
import { answerHeaders } from './security-headers.ts';
import { sessionCookieName } from './session/cookie.ts';

/** A publish token whatever its state; which one is good only the community service knows. */
const PUBLISH_BEARER = /^Bearer +(psq_[\w-]{1,100})$/i;

declare module 'fastify' {
  interface FastifyRequest {
    /** The language to answer in; `?lang=` counts for pages alone. */
    readonly language: Language;
    /** Decoded segments of the path, on which every decision is taken; read by the plugin's hook. */
    segments: readonly string[];
    /** The publish token that this request acts by, if any. */
    readonly publishToken: string | undefined;
  }
}

/**
 * Safe defaults for every answer, the refusal of requests that mean more than one thing (requirements 24, 27 and 28), and
 * what requests are read for everywhere: their path, language and publish token.
 */
export const requests = fp(
  async (app: FastifyInstance) => {
    const { publicUrl, secure } = app.gateway;
    const defaults = {
      ...answerHeaders(publicUrl),
      'cache-control': 'no-store',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    };
    app.decorateRequest('segments');
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(defaults).header('x-request-id', request.id);
      const { headers, rawHeaders, url = '' } = request.raw;
      if (hostCount(rawHeaders) !== 1) throw appError('BAD_HOST');
      if (headers.upgrade !== undefined) throw appError('UPGRADE_REFUSED');
      const segments = decodedSegments(url);
      if (!segments) throw appError('BAD_PATH');
      request.segments = segments;
      done();
    });
    const languageOf = createLanguageReader(app);
    app.decorateRequest('language', {
      getter() {
        return languageOf(this);
      },
    });
    const cookie = sessionCookieName(secure);
    app.decorateRequest('publishToken', {
      getter() {
        return publishTokenOf(this, cookie);
      },
    });
    readJsonBodies(app);
  },
  { name: 'requests', dependencies: ['gateway', 'cookies'] },
);

/** Whether a request is counted as a call: what the contract knows, or lies under /api/. */
export function isCall({ routeOptions: { config, url = '' } }: FastifyRequest): boolean {
  return config.route !== undefined || url.startsWith('/api/');
}

/**
 * The chosen language, else the one a page's address names, else the best match of the browser's, else the site's own
 * (design section 5). What is not on offer is nobody's choice.
 */
function createLanguageReader({
  gateway: { config },
}: FastifyInstance): (request: FastifyRequest) => Language {
  const { deployType, languages: offered } = config;
  const home = homeLanguage(deployType, offered);
  const onOffer = (value: string | undefined): Language | undefined => {
    const found = languageOfCookie(value);
    return found && offered.includes(found) ? found : undefined;
  };
  const parameterOf = (target: string): string | undefined => {
    const query = queryOf(target);
    return query === '' ? undefined : (new URLSearchParams(query).get(LANGUAGE_PARAMETER) ?? undefined);
  };
  return (request) =>
    onOffer(request.cookies[LANGUAGE_COOKIE]) ??
    onOffer(isCall(request) ? undefined : parameterOf(request.raw.url ?? '')) ??
    languageOfHeader(request.headers['accept-language'], offered) ??
    home;
}

/**
 * A command line's `Authorization: Bearer psq_…` counts on the routes that the contract marks, and only without a session
 * cookie: whoever has a session acts by it. Everywhere else the header is dropped, as every Authorization of a client.
 */
function publishTokenOf(
  { cookies, headers, routeOptions }: FastifyRequest,
  cookie: string,
): string | undefined {
  if (routeOptions.config.route?.publishToken !== true) return undefined;
  if (namesOf(cookies, cookie).length > 0) return undefined;
  return PUBLISH_BEARER.exec(headers.authorization ?? '')?.[1];
}

/** By what uploads with a token are counted: a name from which the token cannot be told. */
export function publishTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22);
}

/**
 * Reads JSON bodies of the gateway's own calls. An empty body is no body: a client that names the type on every call
 * must be able to sign out.
 */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null);
    else parse(request, String(text), done);
  });
}

/** Node keeps the first of two Host headers silently; a proxy in front may have believed the other. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count;
}
