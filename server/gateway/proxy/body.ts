import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { appError } from '../../http/errors.ts';

/** A body of this size is read before it is sent, so that it can be sent once more with another token. */
const REPLAYABLE_BYTES = 64 * 1024;

/** What a request carries: nothing, a body that can be sent again, or one that passes through once. */
export type RequestBody =
  | { kind: 'none' }
  | { kind: 'whole'; bytes: Buffer }
  | { kind: 'stream'; stream: Readable; length: string | undefined; release: () => void };

/**
 * The body of a request of at most `limit` bytes, by its Content-Length or counted while it passes.
 * @throws AppError BODY_TOO_LARGE, MALFORMED_BODY
 */
export async function requestBody(raw: IncomingMessage, limit: number): Promise<RequestBody> {
  const length = raw.headers['content-length'];
  const isChunked = raw.headers['transfer-encoding'] !== undefined;
  const isBodyless = raw.method === 'GET' || raw.method === 'HEAD';
  if (isBodyless || (!isChunked && (length === undefined || Number(length) === 0))) return { kind: 'none' };
  if (length !== undefined && Number(length) > limit) throw tooLarge();
  if (length !== undefined && Number(length) <= REPLAYABLE_BYTES)
    return { kind: 'whole', bytes: await readAll(raw) };
  return passThrough(raw, limit, length);
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
function passThrough(raw: IncomingMessage, limit: number, length: string | undefined): RequestBody {
  let counted = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length;
      if (counted > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  stream.on('error', () => undefined);
  const onClose = (): void => {
    if (!raw.complete)
      stream.destroy(appError('MALFORMED_BODY', { cause: new Error('the client went away') }));
  };
  raw.once('close', onClose);
  raw.pipe(stream);
  const release = (): void => {
    raw.off('close', onClose);
    raw.unpipe(stream);
    stream.destroy();
    raw.resume();
  };
  return { kind: 'stream', stream, length, release };
}
