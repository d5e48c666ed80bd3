import type { FastifyInstance } from 'fastify';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import type { KeyRing } from './key-ring.ts';

const SHARED_FOR_SECONDS = 300;

/** The public keys that others check access tokens with, as a bare JWK set (RFC 7517 section 5). */
export function serveKeys(app: FastifyInstance, keys: KeyRing): void {
  app.get(JWKS_PATH, async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${SHARED_FOR_SECONDS}`);
    return keys.published();
  });
}
