import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../shared/errors.ts';
import { isAppError } from '../http/errors.ts';
import type { CsrfViolation } from './csrf/rules.ts';
import type { Session } from './session/session.ts';
import type { UpstreamName } from './upstream/upstream.ts';

/** A call to a service as the log tells it. Times in milliseconds. */
export type UpstreamNote = {
  name: UpstreamName;
  attempts: number;
  status?: number;
  first_byte_ms?: number;
  total_ms?: number;
  /** The answer broke off after its head. */
  cut?: true;
};

/** What handlers note about a request for its log line and the figures. */
export type RequestRecord = {
  started: number;
  session?: Session;
  code?: ErrorCode;
  csrf?: 'not_needed' | 'passed' | CsrfViolation;
  /** What a refresh that this request needed has come to, be it its own or one it has waited for. */
  refresh?: 'renewed' | 'refused' | 'failed';
  upstream?: UpstreamNote;
};

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord | null;
  }
}

/** The record of a request; made by the first hook, so it is there in every handler. */
export function recordOf(request: FastifyRequest): RequestRecord {
  request.record ??= { started: performance.now() };
  return request.record;
}

export function noteSession(request: FastifyRequest, session: Session): void {
  recordOf(request).session = session;
}

/** The session after `change`, with a note of whether its tokens were renewed. @throws what `change` throws */
export async function noteRefresh(
  request: FastifyRequest,
  session: Session,
  change: (session: Session) => Promise<Session>,
): Promise<Session> {
  try {
    const changed = await change(session);
    if (changed.access_token !== session.access_token) recordOf(request).refresh = 'renewed';
    return changed;
  } catch (error) {
    const isRefused = isAppError(error) && error.code === 'SESSION_ENDED';
    recordOf(request).refresh = isRefused ? 'refused' : 'failed';
    throw error;
  }
}
