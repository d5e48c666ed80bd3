import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { appError } from '../http/errors.ts';
import { requestFault } from './request-rules.ts';
import { answerHeaders } from './security-headers.ts';

/** Safe defaults for every answer, and the refusal of requests that mean more than one thing. */
export const requests = fp(
  async (app: FastifyInstance) => {
    const defaults = {
      ...answerHeaders(app.gateway.publicUrl),
      'cache-control': 'no-store',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    };
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(defaults).header('x-request-id', request.id);
      const fault = requestFault(request.raw);
      if (fault) throw appError(fault);
      done();
    });
    readJsonBodies(app);
  },
  { name: 'requests', dependencies: ['gateway'] },
);

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
