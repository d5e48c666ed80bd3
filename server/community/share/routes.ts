import type { FastifyInstance } from 'fastify';
import { isLanguage } from '../../../shared/languages.ts';
import { shareRoutes } from '../../../shared/routes/share.ts';
import { isFresh } from '../../http/conditional.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import type { Guards } from '../auth/guard.ts';
import type { FileStore } from '../media/files.ts';
import type { Db } from '../schema.ts';
import { openShareImages } from './share-images.ts';

/** The address changes with the plugin, so a day is no risk; opened by itself, the picture may do nothing. */
const HEADERS = {
  'cache-control': 'public, max-age=86400',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** Pictures for share cards. */
export function sharesRoutes(app: FastifyInstance, guards: Guards, db: Db, files: FileStore): void {
  const images = openShareImages(db, files);
  app.addHook('onClose', () => images.close());
  implement(app, guards.all, shareRoutes.readShareImage, async ({ params, request, reply }) => {
    const language = params.name.replace('.jpg', '');
    if (!isLanguage(language)) throw appError('MEDIA_NOT_FOUND');
    const { etag, picture } = await images.of(params.plugin_key, language);
    if (isFresh(request, etag)) {
      reply.code(304).headers(HEADERS).header('etag', etag).send();
      return undefined;
    }
    const bytes = await picture();
    reply
      .headers(HEADERS)
      .header('etag', etag)
      .type('image/jpeg')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return undefined;
  });
}
