import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';

/** A body of this size is read before it is sent, so that it can be sent once more with another token. */
const REPLAYABLE_BYTES = 64 * 1024;

/**
 * A content type parser: nothing, a buffer that can be sent again, or a stream that passes once and is counted meanwhile.
 * @throws AppError BODY_TOO_LARGE, MALFORMED_BODY
 */
export async function readBody(
  request: FastifyRequest,
  raw: IncomingMessage,
): Promise<Buffer | Transform | undefined> {
  const limit = request.routeOptions.config.proxied?.bodyLimit;
  const length = raw.headers['content-length'];
  // What goes nowhere is refused by its handler, whatever its body.
  if (limit === undefined || (length !== undefined && Number(length) === 0)) return undefined;
  if (length !== undefined && Number(length) > limit) throw tooLarge();
  return length !== undefined && Number(length) <= REPLAYABLE_BYTES ? readAll(raw) : passThrough(raw, limit);
}

/** What nobody has read of a body is drained with the response, or a client that still sends would not see it. */
export function drainUnread({ raw, body }: FastifyRequest, reply: FastifyReply): void {
  if (!(body instanceof Transform)) return;
  reply.raw.once('finish', () => {
    raw.unpipe(body);
    body.destroy();
    raw.resume();
  });
}

/** The rest of a refused body is not read: the connection ends with the answer. */
function tooLarge() {
  return appError('BODY_TOO_LARGE', { headers: { connection: 'close' } });
}

async function readAll(raw: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of raw) chunks.push(chunk);
  } catch (error) {
    throw appError('MALFORMED_BODY', { cause: error });
  }
  return Buffer.concat(chunks);
}

/** The upstream's client may destroy what it is given; the client's own connection must outlive that for the answer. */
function passThrough(raw: IncomingMessage, limit: number): Transform {
  let counted = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length;
      if (counted > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  stream.on('error', () => undefined);
  raw.once('close', () => {
    if (!raw.complete)
      stream.destroy(appError('MALFORMED_BODY', { cause: new Error('the client went away') }));
  });
  return raw.pipe(stream);
}
