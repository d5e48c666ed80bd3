import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../shared/constants.ts';
import type { Route } from '../../shared/route.ts';
import { appError } from '../http/errors.ts';
import { type CsrfViolation, noteSecurityEvent, recordOf } from './log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called by another server, which authenticates by a signature; no page ever calls it. */
    fromServers?: true;
  }
}

/** Refuses calls that another site may have made in the name of who is signed in here (requirements 11 and 12). */
export const csrf = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { origin } = gateway.publicUrl;
    app.addHook('onRequest', (request, _reply, done) => {
      const isNavigation = request.routeOptions.config.route?.navigation === true;
      const isChecked = isNavigation || requiresCsrfCheck(request);
      const violation = isNavigation
        ? navigationViolation(request)
        : isChecked && csrfViolation(request, origin);
      recordOf(request).csrf = isChecked ? violation || 'passed' : 'not_needed';
      if (!violation) return done();
      metrics.countRefused(violation);
      noteSecurityEvent(request, 'csrf_refused', { reason: violation });
      throw appError('CSRF_REFUSED');
    });
  },
  { name: 'csrf', dependencies: ['gateway', 'metrics', 'request-log', 'requests'] },
);

const FOREIGN_SITES: ReadonlySet<unknown> = new Set(['cross-site', 'same-site']);

/**
 * What is missing for this request to come from a page of this site (requirements 11 and 12), if anything. The header
 * alone suffices against forgery (another origin cannot set it without a preflight, which nobody answers); the other two
 * catch what a weakened browser lets through. A publish token is as good as the header: no form or link can send it.
 */
function csrfViolation(request: FastifyRequest, publicOrigin: string): CsrfViolation | undefined {
  const { headers, routeOptions } = request;
  const isBeacon = routeOptions.config.route?.beacon === true;
  const isExempt = isBeacon || request.publishToken !== undefined;
  if (!isExempt && headers[REQUESTED_WITH_HEADER] !== REQUESTED_WITH) return 'header';
  if (isBeacon && headers.origin === undefined && headers['sec-fetch-site'] === undefined) return 'origin';
  if (headers.origin !== undefined && headers.origin !== publicOrigin) return 'origin';
  return FOREIGN_SITES.has(headers['sec-fetch-site']) ? 'fetch-site' : undefined;
}

/**
 * Whether a call is checked for that. Exempt are only public files that browsers fetch by address: pictures, the start of a
 * sign-in and its return, and calls of other servers. Everything else under /api/, known or not, is.
 */
function requiresCsrfCheck(request: FastifyRequest): boolean {
  const { url = '', config } = request.routeOptions;
  const route: Route | undefined = config.route;
  if (config.fromServers) return false;
  if (route) return route.beacon === true || !(route.file && route.access === 'all');
  return url.startsWith('/api/');
}

/** From where a frame of this site is opened. */
const OWN_FRAMES: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * Why a request is no navigation of a window or of a frame of this site (Fetch Metadata Request Headers), if it is none:
 * a picture or a frame on another page is. Where a browser says nothing of the sort (old ones, and all on plain http), it
 * is known by asking for a page.
 */
export function navigationViolation({ headers }: Pick<FastifyRequest, 'headers'>): CsrfViolation | undefined {
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode, 'sec-fetch-site': site, accept } = headers;
  if (mode !== undefined && mode !== 'navigate') return 'fetch-dest';
  if (dest === undefined) return accept?.includes('text/html') ? undefined : 'fetch-dest';
  const isWindow = dest === 'document' || (dest === 'iframe' && OWN_FRAMES.has(site));
  return isWindow ? undefined : 'fetch-dest';
}
