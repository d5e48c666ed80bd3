import type { FastifyInstance } from 'fastify';

/**
 * Reads JSON bodies of the gateway's own calls. An empty body is no body: a client that names the type on every call
 * must be able to sign out.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null);
    else parse(request, String(text), done);
  });
}
