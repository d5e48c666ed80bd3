import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ownBytes } from '../../memory/own-bytes.ts';

export type Encoding = 'br' | 'gzip';

/** An answer that several anonymous clients may get. It never carries a cookie. Its bytes are memory of its own. */
export type SharedAnswer = {
  status: number;
  contentType: string;
  body: Buffer;
  etag: string;
  /** False when the service behind forbids it: then only those who ask at the same moment share it. */
  mayKeep: boolean;
  /** Since when a store keeps it, in milliseconds since 1970, and for how many it is given without asking; once it does. */
  kept?: { at: number; lifetime: number };
  /** How often it has been sent the usual way. */
  sent: number;
  /** The body compressed, made when it is first asked for. */
  compressed: Map<Encoding, Promise<Buffer> | Buffer>;
  /** The forms that have been asked for, one character a byte. */
  texts: Map<Encoding | undefined, string>;
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const COMPRESS = {
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

export function sharedAnswer(
  status: number,
  contentType: string,
  body: Buffer,
  mayKeep = true,
): SharedAnswer {
  const hash = createHash('sha256').update(contentType).update(body).digest('base64url').slice(0, 22);
  return {
    status,
    contentType,
    body: ownBytes(body),
    etag: `W/"${hash}"`,
    mayKeep,
    sent: 0,
    compressed: new Map(),
    texts: new Map(),
  };
}

/** Milliseconds for which an answer has been kept; what lies ahead was made before the clock was set back. */
export function ageOf({ kept }: SharedAnswer, now: number): number {
  return kept ? Math.abs(now - kept.at) : Number.POSITIVE_INFINITY;
}

export function isFresh(answer: SharedAnswer, now: number): boolean {
  return answer.kept !== undefined && ageOf(answer, now) < answer.kept.lifetime;
}

/** Bytes an answer holds in memory, its other forms included by estimate. */
export function answerWeight(answer: SharedAnswer, key: string): number {
  return Math.ceil(answer.body.length * 2) + key.length * 2 + 500;
}

/** The body as the client takes it best (RFC 9110 section 12.5.3). */
export async function encodedBody(
  answer: SharedAnswer,
  acceptEncoding: string | undefined,
): Promise<{ body: Buffer; encoding: Encoding | undefined }> {
  const encoding = chooseEncoding(acceptEncoding);
  if (!encoding || answer.body.length < WORTH_COMPRESSING) return { body: answer.body, encoding: undefined };
  const known = answer.compressed.get(encoding);
  if (known) return { body: await known, encoding };
  const making = COMPRESS[encoding](answer.body);
  answer.compressed.set(encoding, making);
  try {
    const body = await making;
    answer.compressed.set(encoding, body);
    return { body, encoding };
  } catch (error) {
    // The answer stays for as long as nothing changes; its next reader tries again.
    answer.compressed.delete(encoding);
    throw error;
  }
}

/** Has the brotli form as small as it can be: a tenth less, for seventy times the work. */
export async function compressSmallest(answer: SharedAnswer): Promise<void> {
  const body = ownBytes(await brotli(answer.body, SMALLEST));
  answer.compressed.set('br', body);
  answer.texts.delete('br');
}

/** The body in an encoding, when it has been made before, one character a byte: Node writes such a text with its head. */
export function readyText(answer: SharedAnswer, encoding: Encoding | undefined): string | undefined {
  const known = answer.texts.get(encoding);
  if (known !== undefined) return known;
  const body = encoding ? answer.compressed.get(encoding) : answer.body;
  if (!(body instanceof Buffer)) return undefined;
  const text = body.toString('latin1');
  answer.texts.set(encoding, text);
  return text;
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

/** Whether an If-None-Match names this answer (RFC 9110 section 13.1.2, weak comparison). */
export function isNotModified(answer: SharedAnswer, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(answer.etag));
}
