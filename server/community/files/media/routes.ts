import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'range-parser';
import { contract } from '../../../../shared/contract.ts';
import { appError } from '../../../http/errors.ts';
import { implement, isFresh } from '../../../http/implement.ts';
import type { ByteRange, OpenFile } from './files.ts';

/** Whether a stored file is withheld, by its name: it is public no longer, since its plugin was withdrawn. */
export type IsWithheld = (name: string) => Promise<boolean>;

const TYPES: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/**
 * Names are hashes of the content, so browsers keep files forever. Shared caches ask again after half a minute, because a
 * file of a withdrawn plugin must stop being public. A file opened as a page must not run anything.
 */
const FILE_HEADERS = {
  'cache-control': 'public, s-maxage=30, max-age=31536000, immutable',
  'accept-ranges': 'bytes',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

/** Stored pictures and videos. */
export function mediaRoutes(app: FastifyInstance, isWithheld: IsWithheld): void {
  const { files } = app;
  implement(app, contract.readMedia, async ({ params: { name }, request, reply }) => {
    if (await isWithheld(name))
      throw appError('MEDIA_WITHDRAWN', { headers: { 'cache-control': 'no-store' } });
    const etag = `"${name}"`;
    if (isFresh(request, etag)) {
      reply.code(304).headers(FILE_HEADERS).header('etag', etag).send();
      return undefined;
    }
    const file = await files.get(name);
    if (!file) throw appError('MEDIA_NOT_FOUND');
    reply.headers(FILE_HEADERS).header('etag', etag).type(typeOf(name));
    return sendFile(file, request, reply);
  });
}

async function sendFile(file: OpenFile, request: FastifyRequest, reply: FastifyReply): Promise<undefined> {
  const range = rangeOf(request.headers.range, file.bytes);
  if (range === undefined) {
    reply.header('content-length', file.bytes).send(file.stream());
  } else if (range === 'unsatisfiable') {
    await file.close();
    throw appError('RANGE_NOT_SATISFIABLE', { headers: { 'content-range': `bytes */${file.bytes}` } });
  } else {
    reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
      .header('content-length', range.end - range.start + 1)
      .send(file.stream(range));
  }
}

function typeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/**
 * Reads a Range header of one range of bytes (RFC 9110 section 14.1.2).
 * @returns undefined to send the whole file, also for several ranges and for an invalid header; 'unsatisfiable' for a range
 * beyond the end
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const { code, type, ranges } = parse(bytes, header ?? '');
  if (code & INVALID || type !== 'bytes' || ranges.length > 1) return undefined;
  return ranges[0] ?? 'unsatisfiable';
}

/** The bit of range-parser's code for a header that is not a valid one. */
const INVALID = 1;
