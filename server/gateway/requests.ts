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
import { allowEmptyJson } from '../http/app.ts';
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
    const defaults = {
      ...answerHeaders(app.gateway.publicUrl),
      'cache-control': 'no-store',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    };
    app.decorateRequest('segments');
    app.addHook('onRequest', (request, reply, done) => {
      const { raw } = request;
      reply.headers(defaults).header('x-request-id', request.id);
      // Node keeps the first of two Host headers silently; a proxy in front may have believed the other.
      const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
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
    app.decorateRequest('publishToken', {
      getter() {
        return publishTokenOf(this);
      },
    });
    allowEmptyJson(app);
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
 * A command line's `Authorization: Bearer psq_…` counts on the routes that the contract marks, and only without a session
 * cookie: whoever has a session acts by it. Everywhere else the header is dropped, as every Authorization of a client.
 */
function publishTokenOf({ cookies, headers, routeOptions, server }: FastifyRequest): string | undefined {
  if (routeOptions.config.route?.publishToken !== true) return undefined;
  if (namesOf(cookies, sessionCookieName(server.gateway.secure)).length > 0) return undefined;
  return PUBLISH_BEARER.exec(headers.authorization ?? '')?.[1];
}

/** By what uploads with a token are counted: a name that does not reveal the token. */
export function publishTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22);
}
