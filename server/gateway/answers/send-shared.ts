import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodedBody, isNotModified, type SharedAnswer } from './shared-answer.ts';

/** Sends a shared answer: 304 when the browser has it, compressed when it takes that. */
export async function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
): Promise<FastifyReply> {
  const acceptEncoding = request.headers['accept-encoding'];
  reply.header('etag', answer.etag);
  if (answer.status === 200 && isNotModified(answer, request.headers['if-none-match'])) {
    return reply.code(304).send();
  }
  const { body, encoding } = await encodedBody(
    answer,
    typeof acceptEncoding === 'string' ? acceptEncoding : undefined,
  );
  if (encoding) reply.header('content-encoding', encoding);
  return reply.code(answer.status).header('content-type', answer.contentType).send(body);
}
