import type { FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { noteSession } from '../request-record.ts';
import { type Session, sessionHash } from '../session/session.ts';
import { traceHeaders } from '../upstream/upstream.ts';
import type { AuthParts } from './parts.ts';
import { sessionOf } from './sign-in-answer.ts';
import { endAtUserService } from './sign-out.ts';

/**
 * Exchanges an authorization code on the server and begins a session in place of any other (requirement 6). Answers the
 * Set-Cookie lines of the new one.
 * @throws AppError CODE_INVALID, UPSTREAM_*
 */
export async function exchangeCode(
  parts: AuthParts,
  request: FastifyRequest,
  code: string,
): Promise<string[]> {
  const { userService, sessions, now, log } = parts;
  const headers = traceHeaders(request);
  const answer = await userService.call('exchangeCode', { query: { code }, headers });
  if (!answer.ok) throw appError(answer.status >= 500 ? 'UPSTREAM_INVALID' : 'CODE_INVALID');
  const session = sessionOf(answer, now());
  if (!session)
    throw appError('UPSTREAM_INVALID', { cause: new Error('sign-in answer without user or tokens') });
  const cookies = cookiesOf(parts, session, request.headers.cookie);
  noteSession(request, session);
  log.info({ event: 'login', session: sessionHash(session), reqId: request.id }, 'signed in');
  const former = await sessions.open(request.headers.cookie);
  if (former.kind === 'signed-in') void endAtUserService(parts, await sessions.end(former.session));
  return cookies;
}

function cookiesOf({ sessions }: AuthParts, session: Session, header: string | undefined): string[] {
  try {
    return sessions.begin(session, header);
  } catch (error) {
    if (error instanceof RangeError) throw appError('UPSTREAM_INVALID', { cause: error });
    throw error;
  }
}
