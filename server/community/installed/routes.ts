import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { languageOf } from '../language.ts';
import type { FileStore } from '../media/files.ts';
import type { Db } from '../schema.ts';
import { sendAttachment } from '../versions/attachment.ts';
import { acceptUpdate } from './installations.ts';
import { findInstalledPackage, listInstalled, listLiked } from './installed.ts';
import { openReleases } from './releases.ts';

/** What a person has installed, with the packages they work with, and what they like. */
export function installedRoutes(app: FastifyInstance, guards: Guards, db: Db, files: FileStore): void {
  const releases = openReleases(files);
  app.addHook('onClose', () => releases.close());
  implement(app, guards.user, contract.listInstalled, ({ query, request }) =>
    listInstalled(db, query, { caller: callerOf(request), language: languageOf(request) }),
  );
  implement(app, guards.user, contract.listLiked, ({ query, request }) =>
    listLiked(db, query, { caller: callerOf(request), language: languageOf(request) }),
  );
  implement(app, guards.user, contract.acceptUpdate, async ({ body, request }) => {
    const asked = { userId: callerOf(request).user_id, pluginKey: body.plugin_key, version: body.version };
    return { plugin_key: body.plugin_key, ...(await acceptUpdate(db, asked)) };
  });
  implement(app, guards.user, contract.downloadInstalled, async ({ query, request, reply }) => {
    const pluginKey = query.plugin_key;
    const name = await findInstalledPackage(db, pluginKey, callerOf(request));
    const open = async () => {
      const release = await releases.of(name);
      return { bytes: release.length, content: release };
    };
    return sendAttachment({ pluginKey, etag: `"${name}-release"`, open }, request, reply);
  });
}
