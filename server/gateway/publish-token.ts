import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { namesOf } from '../http/cookies.ts';
import { sessionCookieName } from './session/cookie.ts';

/** A publish token whatever its state; which one is good only the community service knows. */
const PUBLISH_BEARER = /^Bearer +(psq_[\w-]{1,100})$/i;

/** The publish token a request is made with, if it may be made with one. */
export type PublishTokenOf = (request: FastifyRequest) => string | undefined;

/**
 * A command line's `Authorization: Bearer psq_…` counts on the routes that the contract marks, and only without a session
 * cookie: whoever has a session acts by it. Everywhere else the header is dropped, as every Authorization of a client.
 */
export function createPublishTokenReader(publicUrl: URL): PublishTokenOf {
  const cookie = sessionCookieName(publicUrl.protocol === 'https:');
  return ({ cookies, headers, routeOptions }) => {
    if (routeOptions.config.route?.publishToken !== true) return undefined;
    if (namesOf(cookies, cookie).length > 0) return undefined;
    return PUBLISH_BEARER.exec(headers.authorization ?? '')?.[1];
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The publish token that this request acts by, if any. */
    readonly publishToken: string | undefined;
  }
}

export const publishToken = fp(
  async (app: FastifyInstance) => {
    const publishTokenOf = createPublishTokenReader(app.gateway.publicUrl);
    app.decorateRequest('publishToken', {
      getter() {
        return publishTokenOf(this);
      },
    });
  },
  { name: 'publish-token', dependencies: ['gateway', 'cookies'] },
);

/** By what uploads with a token are counted: a name from which the token cannot be told. */
export function publishTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url').slice(0, 22);
}
