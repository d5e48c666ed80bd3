import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { REQUESTED_IN_TOOL, REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../shared/constants.ts';
import { appError } from '../http/errors.ts';
import { type CsrfViolation, logSecurityEvent, recordOf } from './log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called by other servers, which authenticate with a signature; never by a page. */
    fromServers?: true;
  }
}

/** CSRF protection (R 9.11, R 9.12). */
export const csrf = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { origin } = gateway.publicUrl;
    app.addHook('onRequest', (request, _reply, done) => {
      const isNavigation = request.contractRoute?.navigation === true && request.bearerToken === undefined;
      const isChecked = isNavigation || requiresCsrfCheck(request);
      const violation = isNavigation
        ? navigationViolation(request)
        : isChecked && csrfViolation(request, origin);
      recordOf(request).csrf = isChecked ? violation || 'passed' : 'not_needed';
      if (!violation) return done();
      metrics.countRefused(violation);
      logSecurityEvent(request, 'csrf_refused', { reason: violation });
      throw appError('CSRF_REFUSED');
    });
  },
  { name: 'csrf', dependencies: ['cors', 'gateway', 'metrics', 'request-log', 'requests'] },
);

const FOREIGN_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

/**
 * Why a request may come from another site (R 9.11, R 9.12). The custom header alone prevents CSRF, because
 * another origin needs a preflight to set it, which the gateway never allows; Origin and Sec-Fetch-Site are defence in
 * depth. A bearer token replaces the header: forms and links cannot send it. Nor do calls need it that come without any cookie
 * from a page of a design tool.
 */
function csrfViolation(request: FastifyRequest, publicOrigin: string): CsrfViolation | undefined {
  const { contractRoute, clientOrigin, headers } = request;
  if (clientOrigin !== undefined) return undefined;
  const isBeacon = contractRoute?.beacon === true;
  if (isInTool(request)) return inToolViolation(request, publicOrigin);
  const isExempt = isBeacon || request.bearerToken !== undefined;
  if (!isExempt && headers[REQUESTED_WITH_HEADER] !== REQUESTED_WITH) return 'header';
  if (isBeacon && headers.origin === undefined && headers['sec-fetch-site'] === undefined) return 'origin';
  if (headers.origin !== undefined && headers.origin !== publicOrigin) return 'origin';
  return FOREIGN_SITES.has(headers['sec-fetch-site']) ? 'fetch-site' : undefined;
}

/** Whether a page inside a design tool makes this call. */
export function isInTool({ headers, server }: Pick<FastifyRequest, 'headers' | 'server'>): boolean {
  return server.gateway.config.toolOrigins.length > 0 && headers[REQUESTED_WITH_HEADER] === REQUESTED_IN_TOOL;
}

/**
 * The same for a page inside a design tool, whose cookie browsers send with requests of other sites too: what is defence in depth
 * elsewhere must be there. Every browser with partitioned cookies sends Sec-Fetch-Site.
 */
function inToolViolation({ headers }: FastifyRequest, publicOrigin: string): CsrfViolation | undefined {
  const { origin = publicOrigin, 'sec-fetch-site': site } = headers;
  if (origin !== publicOrigin) return 'origin';
  return site === 'same-origin' ? undefined : 'fetch-site';
}

/** Under /api/ only files that browsers load by URL, what is the same for everybody, and calls of other servers are not checked. */
function requiresCsrfCheck(request: FastifyRequest): boolean {
  const { contractRoute: route, routeOptions } = request;
  const { url = '', config } = routeOptions;
  if (config.fromServers) return false;
  if (route?.shared !== undefined) return false;
  if (route) return route.beacon === true || !(route.file && route.access === 'all');
  return url.startsWith('/api/');
}

/** Values of Sec-Fetch-Site for a frame in a page of this site. */
const OWN_FRAMES: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * A violation unless the request navigates a window or a frame of this site (Fetch Metadata Request Headers); an image
 * or a frame on another page does not. Without these headers (old browsers, plain http) the request must accept HTML.
 */
export function navigationViolation({ headers }: Pick<FastifyRequest, 'headers'>): CsrfViolation | undefined {
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, 'sec-fetch-site': site, accept } = headers;
  if (mode !== undefined && mode !== 'navigate') return 'fetch-dest';
  if (dest === undefined) return accept?.includes('text/html') ? undefined : 'fetch-dest';
  const isWindow = dest === 'document' || (dest === 'iframe' && OWN_FRAMES.has(site));
  return isWindow ? undefined : 'fetch-dest';
}
