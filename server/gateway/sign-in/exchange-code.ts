import type { FastifyRequest } from 'fastify';
import { beginSession } from './begin-session.ts';
import type { AuthParts } from './parts.ts';
import { personHeaders } from './person-headers.ts';
import type { Returned } from './provider.ts';

/**
 * Exchanges an authorization code on the server and begins a session. Answers the Set-Cookie lines of the new one.
 * @throws AppError CODE_INVALID, UPSTREAM_*
 */
export async function exchangeCode(
  parts: AuthParts,
  request: FastifyRequest,
  returned: Omit<Returned, 'url'>,
): Promise<string[]> {
  const url = new URL(request.raw.url ?? '/', parts.config.publicUrl);
  const headers = { ...personHeaders(request), ...parts.devices.headers(request.cookies) };
  return beginSession(parts, request, await parts.provider.redeem({ ...returned, url }, headers));
}
