import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { appError } from './errors.ts';

/** Our services that others of ours call. */
export type CalledService = 'community' | 'identity';
type CallingService = 'gateway' | 'community';

const CALLERS: Readonly<Record<CalledService, readonly CallingService[]>> = {
  community: ['gateway'],
  identity: ['gateway', 'community'],
};

/** Protection space of the credential (RFC 7617 section 2), by which a caller recognizes a refusal. */
const REALM = 'plugin-square';

/**
 * Authorization header of a confidential client: HTTP Basic with the form-encoded id and secret (RFC 6749 section 2.3.1
 * and appendix B).
 */
export function clientAuthorization(id: string, secret: string): string {
  const encoded = [id, secret].map((text) => new URLSearchParams({ text }).toString().slice('text='.length));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

/**
 * Authorization header with which one of our services calls another without a user's bearer (R 10.24). The secret is derived
 * from a key of SERVICE_KEYS for the called service (HKDF, RFC 5869), so that one service cannot use at another what it
 * was sent.
 */
export function serviceAuthorization(
  key: Buffer,
  { from, to }: { from: CallingService; to: CalledService },
): string {
  const secret = hkdfSync('sha256', key, '', `plugin-square service credential of ${to}`, 32);
  return clientAuthorization(from, Buffer.from(secret).toString('base64url'));
}

/** Milliseconds between two log lines about refused calls. */
const LOG_INTERVAL = 60_000;

/**
 * Refuses a call without the credential of another of our services: 401 SERVICE_CREDENTIAL_INVALID. The header is gone
 * afterwards: it proves the service, and the routes look for the token of a user.
 */
export function checkCredential(
  service: CalledService,
  keys: readonly Buffer[],
): (request: FastifyRequest) => void {
  const accepted = keys.flatMap((key) =>
    CALLERS[service].map((from) => digestOf(serviceAuthorization(key, { from, to: service }))),
  );
  const isAccepted = (header: string): boolean => {
    const digest = digestOf(header);
    // All are compared, so that the time does not tell which one matched.
    return accepted.filter((one) => timingSafeEqual(one, digest)).length > 0;
  };
  let nextLine = Number.NEGATIVE_INFINITY;

  return (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined && isAccepted(authorization)) {
      delete request.headers.authorization;
      return;
    }
    if (performance.now() >= nextLine) {
      nextLine = performance.now() + LOG_INTERVAL;
      const reason = authorization === undefined ? 'missing' : 'wrong';
      request.log.warn(
        { event: 'service_credential_refused', reason, address: request.socket.remoteAddress },
        `a call without the credential of this deployment was refused: SERVICE_KEYS of ${service} and of its callers (${CALLERS[service].join(', ')}) must be the same`,
      );
    }
    throw appError('SERVICE_CREDENTIAL_INVALID', {
      headers: { 'www-authenticate': `Basic realm="${REALM}"` },
    });
  };
}

function digestOf(header: string): Buffer {
  return createHash('sha256').update(header).digest();
}

/** `isSent`: the call had a credential. */
type Refusal = { status: number; challenge: string | string[] | null | undefined; isSent?: boolean };

/**
 * Why a service refused the service that called it, rather than the user; undefined if it did not. The challenge has the
 * scheme that the client has used (RFC 6749 section 5.2).
 */
export function clientRefusal(
  service: string,
  { status, challenge, isSent = false }: Refusal,
): string | undefined {
  const challenges = String(challenge ?? '');
  if (status !== 401) return undefined;
  if (challenges.includes(`realm="${REALM}"`)) {
    return `${service} refuses the credential of its caller: SERVICE_KEYS must be the same for both (docs/configuration.md)`;
  }
  return isSent && /\bBasic\b/i.test(challenges)
    ? `${service} refuses USER_SERVICE_CLIENT_ID with USER_SERVICE_CLIENT_SECRET (docs/configuration.md)`
    : undefined;
}
