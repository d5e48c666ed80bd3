import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** A response that anonymous clients share. It never carries a cookie. Its bytes are memory of its own. */
export type CachedResponse = {
  status: number;
  contentType: string;
  body: Buffer;
  etag: string;
  /** False when the upstream forbids it: then only those who ask at the same moment share it. */
  isCacheable: boolean;
  /** How often it has been sent. */
  sent: number;
  /** The body compressed, made when it is first asked for. */
  encoded: Map<Encoding, Promise<Buffer> | Buffer>;
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const ENCODE = {
  br: async (body: Buffer) =>
    ownBytes(await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })),
  gzip: async (body: Buffer) => ownBytes(await gzipped(body, { level: 6 })),
} satisfies Record<Encoding, (body: Buffer) => Promise<Buffer>>;

/** The window holds all but the longest pages, and keeps the work at some megabytes of memory. */
const SMALLEST = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};

/** Below this a compressed body is no smaller on the wire. */
const WORTH_COMPRESSING = 1024;

export function cachedResponse(
  status: number,
  contentType: string,
  body: Buffer,
  isCacheable = true,
): CachedResponse {
  const hash = createHash('sha256').update(contentType).update(body).digest('base64url').slice(0, 22);
  const etag = `W/"${hash}"`;
  return { status, contentType, body: ownBytes(body), etag, isCacheable, sent: 0, encoded: new Map() };
}

/** Bytes a response takes in memory, its encoded forms included by estimate. */
export function sizeOf(response: CachedResponse, key: string): number {
  return Math.ceil(response.body.length * 2) + key.length * 2 + 500;
}

/** The body as the client takes it best (RFC 9110 section 12.5.3). */
export async function encodedBody(
  response: CachedResponse,
  acceptEncoding: string | undefined,
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const encoding = chooseEncoding(acceptEncoding);
  if (!encoding || response.body.length < WORTH_COMPRESSING)
    return { body: response.body, encoding: undefined };
  const known = response.encoded.get(encoding);
  if (known) return { body: await known, encoding };
  const work = ENCODE[encoding](response.body);
  response.encoded.set(encoding, work);
  try {
    const body = await work;
    response.encoded.set(encoding, body);
    return { body, encoding };
  } catch (error) {
    // The response stays for as long as nothing changes; its next reader tries again.
    response.encoded.delete(encoding);
    throw error;
  }
}

/** Has the brotli form as small as it can be: a tenth less, for seventy times the work. */
export async function compressSmallest(response: CachedResponse): Promise<void> {
  response.encoded.set('br', ownBytes(await brotli(response.body, SMALLEST)));
}

/** Milliseconds between two: a tenth of a processor is what they may take. */
const COMPRESS_EVERY = 1000;

/**
 * Compresses responses as small as they can be, after those who asked got them: one at a time, and what comes meanwhile
 * when somebody asks for it again. What fails is told to `onFailed`.
 */
export function createBackgroundCompression({
  pause = COMPRESS_EVERY,
} = {}): (response: CachedResponse, onFailed: (error: unknown) => void) => void {
  const done = new WeakSet<CachedResponse>();
  let isFree = true;
  const release = (): void => {
    setTimeout(() => {
      isFree = true;
    }, pause).unref();
  };
  return (response, onFailed) => {
    if (!isFree || done.has(response)) return;
    isFree = false;
    done.add(response);
    compressSmallest(response).catch(onFailed).finally(release);
  };
}

function chooseEncoding(header: string | undefined): Encoding | undefined {
  const accepted = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const takes = (name: Encoding): boolean =>
    accepted.some((part) => part.split(';')[0]?.trim() === name && !/;\s*q=0(?:\.0*)?\s*$/.test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined;
}

/**
 * The same bytes in memory of their own. Node cuts small buffers from pieces of 64 KiB, and one of them that is cached
 * keeps the whole piece.
 */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
