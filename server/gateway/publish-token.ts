import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { namesOf } from '../http/cookies.ts';
import { sessionCookieName } from './session/cookie.ts';

/** A publish token whatever its state; which one is good only the community service knows. */
const PUBLISH_BEARER = /^Bearer +(psq_[\w-]{1,100})$/i;

declare module 'fastify' {
  interface FastifyRequest {
    /** The publish token that this request acts by, if any. */
    readonly publishToken: string | undefined;
  }
}

/**
 * A command line's `Authorization: Bearer psq_…` counts on the routes that the contract marks, and only without a session
 * cookie: whoever has a session acts by it. Everywhere else the header is dropped, as every Authorization of a client.
 */
export const publishToken = fp(
  async (app: FastifyInstance) => {
    const cookie = sessionCookieName(app.gateway.secure);
    app.decorateRequest('publishToken', {
      getter() {
        if (this.routeOptions.config.route?.publishToken !== true) return undefined;
        if (namesOf(this.cookies, cookie).length > 0) return undefined;
        return PUBLISH_BEARER.exec(this.headers.authorization ?? '')?.[1];
      },
    });
  },
  { name: 'publish-token', dependencies: ['gateway', 'cookies'] },
);

/** By what uploads with a token are counted: a name from which the token cannot be told. */
export function publishTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22);
}
