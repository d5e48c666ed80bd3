import type { FastifyReply } from 'fastify';
import { appError, isAppError } from '../../http/errors.ts';
import { WRITTEN } from '../../http/implement.ts';
import type { UserServiceAnswer } from './user-service.ts';
import { withoutTokens } from './without-tokens.ts';

/**
 * Answers a refusal of the user service with its own body, as callers of these calls expect it (specification section 8),
 * and its status.
 * @throws UPSTREAM_INVALID for what is no refusal: a service that fails may say anything of what is behind it
 */
export function passRefusal(
  reply: FastifyReply,
  { status, body, retryAfter }: UserServiceAnswer,
  secrets: readonly string[],
): typeof WRITTEN {
  const isRefusal = status >= 400 && status < 500;
  if (!isRefusal) throw appError('UPSTREAM_INVALID', { cause: new Error(`third party answered ${status}`) });
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.code(status).send(withoutTokens(body, secrets));
  return WRITTEN;
}

/** Answers a call without an answer with an empty object (specification section 8). @throws what is no such failure */
export function passFailure(reply: FastifyReply, error: unknown): typeof WRITTEN {
  if (!isAppError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
  reply.request.log.warn({ err: error.cause ?? error, code: error.code }, 'third party not asked');
  reply.code(error.statusCode).send({});
  return WRITTEN;
}
