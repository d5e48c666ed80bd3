import type { FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import { OAUTH_ENDPOINTS } from '../../../shared/user-service.ts';

/**
 * Serves the endpoints of the library. It writes its answers itself, past Fastify's hooks. Its addresses, to which the proofs
 * of tools refer too, are the site's whatever the request says, and no header of the gateway's is an attempt of the tool to
 * authenticate.
 */
export async function serveEndpoints(
  scope: FastifyInstance,
  current: () => Promise<Provider>,
): Promise<void> {
  const { host, protocol } = new URL(scope.identity.publicUrl);
  // The library reads bodies itself.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  for (const { method, path } of OAUTH_ENDPOINTS) {
    scope.route({
      method,
      url: path,
      exposeHeadRoute: false,
      handler: async ({ raw }, reply) => {
        const answer = (await current()).callback();
        raw.headers['x-forwarded-host'] = host;
        raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
        delete raw.headers.authorization;
        reply.hijack();
        reply.raw.setHeader('cache-control', 'no-store');
        await answer(raw, reply.raw);
      },
    });
  }
}
