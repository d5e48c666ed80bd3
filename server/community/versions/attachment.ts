import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../../http/conditional.ts';

/** A package on its way to somebody who may have it. */
export type Attachment = {
  pluginKey: string;
  /** Differs for different content. */
  etag: string;
  /** Asked for only when the caller does not have it yet. */
  open(): Promise<{ bytes: number; content: Readable | Uint8Array }>;
};

/** Opened by itself, a package may do nothing; a copy of it is asked about before it is used again. */
const HEADERS = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

/**
 * Answers with a package as a file named by the plugin's key (specification section 7), or with 304 to who has it.
 */
export async function sendAttachment(
  { pluginKey, etag, open }: Attachment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  reply.headers(HEADERS).header('etag', etag);
  if (isFresh(request, etag)) {
    reply.code(304).send();
    return;
  }
  const { bytes, content } = await open();
  reply
    .type('application/json')
    .header('content-disposition', `attachment; filename="${pluginKey}.json"`)
    .header('content-length', bytes)
    .send(content);
}
