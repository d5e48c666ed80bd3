import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { ErrorCode } from '../../shared/errors.ts';
import { appError } from '../http/errors.ts';
import { decodedSegments } from './proxy/path.ts';
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
      const violation = requestViolation(request.raw);
      if (violation) throw appError(violation);
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

/** Why a request is refused before anybody looks at what it asks for (requirements 24, 27 and 28), if it is. */
function requestViolation(request: IncomingMessage): ErrorCode | undefined {
  if (hostCount(request.rawHeaders) !== 1) return 'BAD_HOST';
  if (request.headers.upgrade !== undefined) return 'UPGRADE_REFUSED';
  return decodedSegments(request.url ?? '') ? undefined : 'BAD_PATH';
}

/** Node keeps the first of two Host headers silently; a proxy in front may have believed the other. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count;
}
