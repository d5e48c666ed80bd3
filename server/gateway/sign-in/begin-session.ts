import type { FastifyRequest } from 'fastify';
import { noteSession } from '../request-record.ts';
import { sessionHash } from '../session/session.ts';
import type { AuthParts } from './parts.ts';
import type { Redeemed } from './provider.ts';
import { endElsewhere } from './sign-out.ts';

/**
 * Begins a session in place of any other of this browser (requirement 6). Answers its Set-Cookie lines, and
 * those by which the browser is known from now on.
 * @throws AppError UPSTREAM_INVALID for a session that no cookies can hold
 */
export async function beginSession(
  parts: AuthParts,
  request: FastifyRequest,
  { session, deviceToken }: Redeemed,
): Promise<string[]> {
  const { sessions, devices, log } = parts;
  const cookies = [
    ...sessions.begin(session, request.cookies),
    ...devices.remember({ userId: session.user.user_id, token: deviceToken }, request.cookies),
  ];
  noteSession(request, session);
  log.info({ event: 'login', session: sessionHash(session), reqId: request.id }, 'signed in');
  const former = await sessions.open(request.cookies);
  if (former.kind === 'signed-in') void endElsewhere(parts, await sessions.end(former.session));
  return cookies;
}
