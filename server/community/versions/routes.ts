import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { FileStore } from '../media/files.ts';
import type { Db } from '../schema.ts';
import { sendAttachment } from './attachment.ts';
import { changeVersion } from './change.ts';
import { findPackage, openPackage } from './download.ts';

type Dependencies = { db: Db; files: FileStore };

/** What a publisher does with versions that have passed, and what administrators fetch of any. */
export function versionsRoutes(app: FastifyInstance, guards: Guards, { db, files }: Dependencies): void {
  implement(app, guards.publisher, contract.changeVersion, async ({ body, request }) => {
    await changeVersion(db, body, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.downloadPlugin, async ({ params, query, request, reply }) => {
    const name = await findPackage(db, params.key, query.version);
    const open = async () => {
      const file = await openPackage(files, name);
      return { bytes: file.bytes, content: file.stream() };
    };
    return sendAttachment({ pluginKey: params.key, etag: `"${name}"`, open }, request, reply);
  });
}
