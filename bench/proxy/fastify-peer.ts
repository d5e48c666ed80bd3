/** A gateway built from packages: session, CSRF check, header lists, JSON log and metrics, on Fastify. */

import httpProxy from '@fastify/http-proxy';
import secureSession, { type Session } from '@fastify/secure-session';
import Fastify, { type FastifyRequest } from 'fastify';
import metrics from 'fastify-metrics';
import { portOf } from '../../test/support/port.ts';
import { pick, REQUEST_HEADERS, RESPONSE_HEADERS, TOKENS } from './peer-rules.ts';

declare module '@fastify/secure-session' {
  interface SessionData {
    tokens: typeof TOKENS;
  }
}
declare module 'fastify' {
  interface FastifyRequest {
    peerSession: Session;
  }
}

const app = Fastify({ logger: true });
await app.register(metrics.default, { endpoint: '/metrics' });
await app.register(secureSession, {
  sessionName: 'peerSession',
  key: Buffer.alloc(32, 7),
  cookie: { path: '/', httpOnly: true },
});
app.get('/login', (request, reply) => {
  request.peerSession.set('tokens', TOKENS);
  reply.send('');
});
await app.register(async (scope) => {
  scope.addHook('onRequest', async (request, reply) => {
    if (request.headers['x-requested-with'] === undefined) return reply.code(403).send();
    if (!request.peerSession.get('tokens')) return reply.code(401).send();
    return undefined;
  });
  await scope.register(httpProxy, {
    upstream: process.argv[2] ?? '',
    replyOptions: {
      rewriteRequestHeaders: ({ peerSession }: Pick<FastifyRequest, 'peerSession'>, headers) => ({
        ...pick(headers, REQUEST_HEADERS),
        authorization: `Bearer ${peerSession.get('tokens')?.access}`,
      }),
      rewriteHeaders: (headers) => pick(headers, RESPONSE_HEADERS),
    },
  });
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `http://127.0.0.1:${portOf(app.server)}` });
