import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { frameResponse } from '../../packages/sandbox/frame-response.ts';
import { appError } from '../http/errors.ts';
import { pathOf, queryOf } from './proxy/path.ts';

/** The frame document of plugins that visitors try, on PLAYGROUND_ORIGIN, which answers nothing else. */
export const playground = fp(
  async (app: FastifyInstance) => {
    const { config, publicUrl } = app.gateway;
    if (config.playgroundOrigin === undefined) return;
    const { host } = new URL(config.playgroundOrigin);
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
