import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { isFresh } from '../../http/implement.ts';
import type { FileStore, OpenFile } from '../media/files.ts';
import { findPlugin } from '../plugins/store.ts';
import type { Db } from '../schema.ts';
import { readPackageFile } from './store.ts';

/**
 * The file of a plugin's package: of the current version, else of the newest, or of the version asked for, whatever its
 * state.
 * @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function findPackage(db: Db, pluginKey: string, version: string | undefined): Promise<string> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  const file = await readPackageFile(db, plugin.id, version);
  if (file === undefined) throw appError('VERSION_NOT_FOUND');
  return file;
}

/** @throws MEDIA_NOT_FOUND for a file that the store has lost */
export async function openPackage(files: FileStore, name: string): Promise<OpenFile> {
  const file = await files.get(name);
  if (!file) throw appError('MEDIA_NOT_FOUND');
  return file;
}

/** A package on its way to somebody who may have it. */
type Attachment = {
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
