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
  encoded: Map<Encoding, Promise<Buffer>>;
};

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }).then(ownBytes),
  gzip: (body) => compressGzip(body, { level: 6 }).then(ownBytes),
};

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
  acceptEncoding = '',
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const { body, encoded } = response;
  const encoding = ENCODINGS.find((name) => ACCEPTED[name].test(acceptEncoding));
  if (!encoding || body.length < WORTH_COMPRESSING) return { body, encoding: undefined };
  let compressed = encoded.get(encoding);
  if (!compressed) {
    compressed = COMPRESS[encoding](body);
    encoded.set(encoding, compressed);
    // The response stays for as long as nothing changes; its next reader tries again.
    compressed.catch(() => encoded.delete(encoding));
  }
  return { body: await compressed, encoding };
}

const ENCODINGS = ['br', 'gzip'] as const;
const ACCEPTED: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[,;]|$)/i,
  gzip: /(?:^|,)\s*gzip\s*(?!;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[,;]|$)/i,
};

/** Has the brotli form as small as it can be: a tenth less, for seventy times the work. */
export async function compressSmallest({ body, encoded }: CachedResponse): Promise<void> {
  const smallest = ownBytes(await compressBrotli(body, SMALLEST));
  encoded.set('br', Promise.resolve(smallest));
}

/**
 * Compresses responses as small as they can be, after those who asked got them: one at a time, and what comes meanwhile
 * when somebody asks for it again. `pause`: milliseconds between two, so that they take a tenth of a processor.
 */
export function createBackgroundCompression({
  pause = 1000,
} = {}): (response: CachedResponse, onFailed: (error: unknown) => void) => void {
  const done = new WeakSet<CachedResponse>();
  let isFree = true;
  const release = () => {
    isFree = true;
  };
  return (response, onFailed) => {
    if (!isFree || done.has(response)) return;
    isFree = false;
    done.add(response);
    compressSmallest(response)
      .catch(onFailed)
      .finally(() => setTimeout(release, pause).unref());
  };
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
