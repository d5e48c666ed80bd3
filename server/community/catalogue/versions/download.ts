import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';
import { isFresh } from '../../../http/implement.ts';
import type { FileStore, OpenFile } from '../../files/media/files.ts';
import type { Db } from '../../schema.ts';
import { refuseWithdrawn } from '../withdrawal/withdrawn.ts';
import { readPackageFile } from './store.ts';

/**
 * Finds the package file of a version, whatever its state and also of a deleted plugin; without a version, of the current one
 * or else the newest.
 * @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND; PLUGIN_WITHDRAWN, VERSION_WITHDRAWN
 */
export async function findPackage(
  db: Db,
  pluginKey: string,
  version: string | undefined,
  language: Language,
): Promise<string> {
  const found = await readPackageFile(db, pluginKey, version);
  if (!found) throw appError('PLUGIN_NOT_FOUND');
  if (!found.file) throw appError('VERSION_NOT_FOUND');
  refuseWithdrawn(found.file.withdrawn, language);
  return found.file.name;
}

/** @throws MEDIA_NOT_FOUND for a file that is missing in the store */
export async function openPackage(files: FileStore, name: string): Promise<OpenFile> {
  const file = await files.get(name);
  if (!file) throw appError('MEDIA_NOT_FOUND');
  return file;
}

/** A package to download. */
type Attachment = {
  pluginKey: string;
  etag: string;
  /** Called only when the client has no current copy. Without `bytes` the length is not told. */
  open(): Promise<{ bytes?: number; content: Readable | Uint8Array }>;
};

/** A package opened in a browser must not run; a cached copy is revalidated. */
const HEADERS = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** Sends a package as a file named by the plugin's key (R 4.11), or 304. */
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
    .headers(bytes === undefined ? {} : { 'content-length': bytes })
    .send(content);
}
