import type { FastifyRequest } from 'fastify';

/**
 * What somebody who watches for attacks looks for; each is a log line of its own with this word in `event`. Signing in
 * and out and refused refreshes are written where they happen.
 */
export type SecurityEvent = 'csrf_refused' | 'forbidden' | 'rate_limited';

/** Writes a security event that a request has caused. The fields say what, never who in plain words. */
export function noteSecurityEvent(
  request: Pick<FastifyRequest, 'log'>,
  event: SecurityEvent,
  fields: Readonly<Record<string, string>>,
): void {
  request.log.info({ event, ...fields }, 'security event');
}
