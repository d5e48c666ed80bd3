import type { IncomingMessage, ServerResponse } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import fastify, { type FastifyInstance } from 'fastify';
import type { ViteDevServer } from 'vite';
import { BASE_PATH } from '../../shared/constants.ts';

/** Values of Sec-Fetch-Dest for a page. */
const DOCUMENTS: ReadonlySet<unknown> = new Set(['document', 'iframe', 'frame']);

/** The server that developers use; it outlives restarts of the services. */
export function createFront(): FastifyInstance {
  return fastify({ forceCloseConnections: true });
}

/** Serves the sources of the web client; other requests go to the services once `acquire` has found them ready. */
export async function serveFront(
  front: FastifyInstance,
  {
    vite,
    upstream,
    acquire,
  }: { vite: ViteDevServer; upstream: string; acquire: (request: ServerResponse) => Promise<boolean> },
): Promise<void> {
  front.addHook('onRequest', async (request, reply) => {
    const { url = '/' } = request.raw;
    if (!url.startsWith(BASE_PATH) || DOCUMENTS.has(request.headers['sec-fetch-dest'])) return;
    const isServed = await new Promise<boolean>((resolve) => {
      reply.raw.once('close', () => resolve(true));
      vite.middlewares(request.raw, reply.raw, () => resolve(false));
    });
    // Vite removes the base path.
    request.raw.url = url;
    if (isServed) reply.hijack();
  });
  await front.register(httpProxy, {
    upstream,
    preHandler: async (_request, reply) => {
      if (await acquire(reply.raw)) return;
      await reply.code(503).send('The services have ended; see the terminal. A change starts them again.\n');
    },
    replyOptions: {
      rewriteRequestHeaders: ({ raw }, headers) => ({
        ...headers,
        host: raw.headers.host,
        'x-forwarded-for': forwardedFor(raw),
      }),
    },
  });
}

function forwardedFor({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  return [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
}
