import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AtOnce, CacheName } from './at-once.ts';
import { createLaterCompression } from './compress-later.ts';
import { encodedBody, isNotModified, type SharedAnswer } from './shared-answer.ts';

/** Sends a shared answer: 304 when the browser has it, compressed when it takes that. `cache`: the store it is from. */
export type SendShared = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
  cache: CacheName,
) => Promise<FastifyReply>;

export function createSendShared({ remember }: Pick<AtOnce, 'remember'>): SendShared {
  const compressLater = createLaterCompression();
  return async (request, reply, answer, cache) => {
    const acceptEncoding = request.headers['accept-encoding'];
    reply.header('etag', answer.etag);
    const { body, encoding } = await encodedBody(
      answer,
      typeof acceptEncoding === 'string' ? acceptEncoding : undefined,
    );
    answer.sent += 1;
    // What is asked for once is worth neither the memory nor the work.
    if (answer.sent > 1) {
      remember(request, reply, { answer, encoding, cache });
      if (cache === 'pages' && encoding === 'br' && answer.kept) {
        compressLater(answer, (err) => request.log.warn({ err }, 'a page could not be made smaller'));
      }
    }
    if (answer.status === 200 && isNotModified(answer, request.headers['if-none-match'])) {
      return reply.code(304).send();
    }
    if (encoding) reply.header('content-encoding', encoding);
    return reply.code(answer.status).header('content-type', answer.contentType).send(body);
  };
}
