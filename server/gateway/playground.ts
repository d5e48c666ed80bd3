import { isIP } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { frameResponse } from '../../packages/sandbox/frame-response.ts';
import { appError } from '../http/errors.ts';
import { pathOf, queryOf } from './proxy/path.ts';

/** The frame document of plugins that visitors try, on PLAYGROUND_ORIGIN, which answers nothing else. */
export const playground = fp(
  async (app: FastifyInstance) => {
    const { config, publicUrl } = app.gateway;
    if (config.playgroundOrigin === undefined) return;
    const { host, hostname } = new URL(config.playgroundOrigin);
    warnOfSameSite(hostname, publicUrl.hostname, app.log);
    app.addHook('onRequest', async (request, reply) => {
      if (request.host !== host) return;
      const url = request.raw.url ?? '';
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead || pathOf(url) !== '/') throw appError('NOT_FOUND');
      const { status, headers, body } = frameResponse(queryOf(url), [publicUrl.origin]);
      return reply.code(status).headers(headers).send(body);
    });
  },
  { name: 'playground', dependencies: ['gateway', 'requests'] },
);

/**
 * Names a playground of the site's own site: there, browsers that isolate sites and not origins (Firefox) run both in one process,
 * and a loop in a panel stops the page with the button that would end it.
 */
function warnOfSameSite(playground: string, site: string, log: Pick<FastifyBaseLogger, 'warn'>): void {
  if (siteOf(playground) !== siteOf(site)) return;
  log.warn(
    { playground, site },
    'PLAYGROUND_ORIGIN seems to be of the same site as PUBLIC_URL: in some browsers a plugin can stop the page',
  );
}

/** A guess for a warning: which domains have sites below them is a long list (the Public Suffix List) that is not here. */
function siteOf(hostname: string): string {
  return isIP(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}
