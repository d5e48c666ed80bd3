import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../shared/errors.ts';
import type { Session } from './session/session.ts';
import { sessionHash } from './session/session.ts';

/** What handlers note about a request for its log line and the figures. */
export type RequestRecord = {
  started: number;
  session?: string;
  code?: ErrorCode;
  /** `firstByte`: milliseconds until the head of the answer. */
  upstream?: { name: string; attempts: number; status?: number; firstByte?: number };
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
  recordOf(request).session = sessionHash(session);
}
