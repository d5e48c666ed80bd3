import type { FastifyRequest } from 'fastify';
import { noteSession } from '../request-record.ts';
import { type Session, sessionHash } from '../session/session.ts';
import type { AuthParts } from './parts.ts';
import { endElsewhere } from './sign-out.ts';

/**
 * Begins a session in place of any other of this browser (requirement 6). Answers its Set-Cookie lines.
 * @throws AppError UPSTREAM_INVALID for a session that no cookies can hold
 */
export async function beginSession(
  parts: AuthParts,
  request: FastifyRequest,
  session: Session,
): Promise<string[]> {
  const { sessions, log } = parts;
  const cookies = sessions.begin(session, request.cookies);
  noteSession(request, session);
  log.info({ event: 'login', session: sessionHash(session), reqId: request.id }, 'signed in');
  const former = await sessions.open(request.cookies);
  if (former.kind === 'signed-in') void endElsewhere(parts, await sessions.end(former.session));
  return cookies;
}
