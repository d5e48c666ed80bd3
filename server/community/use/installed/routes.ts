import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { ownRoutes } from '../../../../shared/routes/own.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import {
  acceptUpdate,
  holdUpdates,
  hostOf,
  type InstallationReader,
  readInstallations,
} from '../../catalogue/installations/installations.ts';
import { updatePolicyNow } from '../../catalogue/installations/update-age.ts';
import { cardsOf, type Reader } from '../../catalogue/plugins/cards.ts';
import { openPackage, sendAttachment } from '../../catalogue/versions/download.ts';
import { refuseWithdrawn } from '../../catalogue/withdrawal/withdrawn.ts';
import { languageOf } from '../../language.ts';
import { decodeCursor, encodeCursor, LatestPlace } from '../../pages.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import type { DownloadCounting } from '../downloads/downloads.ts';
import type { Releases } from '../packages/releases.ts';
import { installMissing, isDefaultMissing } from './default-store.ts';
import { countPersonal, type PersonalList, readPersonalRows } from './store.ts';

/** Installed and liked plugins of a user, their packages, and default installs, which each user gets once. */
export function installedRoutes(
  app: FastifyInstance,
  { releases, downloads }: { releases: Releases; downloads: DownloadCounting },
): void {
  const { db, files } = app;
  const readerOf = (request: FastifyRequest, asked: { host?: string | undefined } = {}) => ({
    language: languageOf(request),
    host: hostOf(asked),
    updates: updatePolicyNow(app),
  });
  implement(app, contract.listInstalled, ({ query, request }) =>
    listInstalled(db, query, { caller: callerOf(request), ...readerOf(request) }),
  );
  implement(app, contract.listLiked, ({ query, request }) =>
    listLiked(db, query, { caller: callerOf(request), language: languageOf(request) }),
  );
  implement(app, contract.acceptUpdate, async ({ body, request }) => {
    const { plugin_key, version } = body;
    const target = { userId: callerOf(request).user_id, pluginKey: plugin_key, version };
    return { plugin_key, ...(await acceptUpdate(db, target, readerOf(request, body))) };
  });
  implement(app, contract.holdUpdates, async ({ body, request }) => {
    const { plugin_key, hold = null, version } = body;
    const target = { userId: callerOf(request).user_id, pluginKey: plugin_key };
    const held = await holdUpdates(db, target, { hold, version, ...readerOf(request) });
    return { plugin_key, ...held };
  });
  implement(app, contract.downloadInstalled, async ({ query, request, reply }) => {
    const pluginKey = query.plugin_key;
    const caller = callerOf(request);
    const name = await findInstalledPackage(db, pluginKey, {
      caller,
      ...readerOf(request, query),
    });
    const open = async () => {
      if (request.method === 'HEAD') {
        await (await openPackage(files, name)).close();
        return { content: Readable.from([]) };
      }
      const release = await releases.read(name);
      downloads.add({ userId: caller.user_id, packageName: name });
      return { bytes: release.length, content: release };
    };
    return sendAttachment({ pluginKey, etag: `"${name}-release"`, open }, request, reply);
  });
  implement(app, contract.installDefaults, async ({ request }) => {
    const caller = callerOf(request);
    const isMissing = await isDefaultMissing(db, caller);
    return { plugin_keys: isMissing ? await installMissing(db, caller) : [] };
  });
}

type InstalledQuery = QueryOf<(typeof ownRoutes)['listInstalled']>;
type InstalledPage = DataOf<(typeof ownRoutes)['listInstalled']>;
type LikedPage = DataOf<(typeof ownRoutes)['listLiked']>;
type PersonalReader = Reader & { caller: Caller };

/**
 * Reads a page of the caller's installed plugins.
 * @throws BAD_CURSOR
 */
export async function listInstalled(
  db: Db,
  query: InstalledQuery,
  reader: PersonalReader & InstallationReader,
): Promise<InstalledPage> {
  const { plugin_list, ...page } = await readPersonalPage(db, 'installed', query, reader);
  const ids = plugin_list.map(({ id }) => id);
  const installations = await readInstallations(db, reader.caller.user_id, { ids }, reader);
  return {
    ...page,
    plugin_list: plugin_list.flatMap(({ id, at, plugin, is_available }) => {
      const found = installations.get(id);
      if (!found) return [];
      const { installation } = found;
      const version = plugin.version || installation.version;
      const shown = { ...plugin, version, is_installed: true };
      return [{ plugin: shown, is_available, ...installation, installed_at: at }];
    }),
  };
}

/**
 * Reads a page of the plugins that the caller likes.
 * @throws BAD_CURSOR
 */
export async function listLiked(db: Db, query: InstalledQuery, reader: PersonalReader): Promise<LikedPage> {
  const { plugin_list, ...page } = await readPersonalPage(db, 'liked', query, reader);
  return { ...page, plugin_list: plugin_list.map(({ id: _, at, ...item }) => ({ ...item, liked_at: at })) };
}

async function readPersonalPage(
  db: Db,
  kind: PersonalList,
  { cursor, limit = PAGE_SIZE }: InstalledQuery,
  reader: PersonalReader,
) {
  const userId = reader.caller.user_id;
  const list = [kind, userId];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [total, found] = await Promise.all([
    countPersonal(db, kind, userId),
    readPersonalRows(db, kind, { userId, after, limit: limit + 1 }),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const cards = await cardsOf(
    db,
    rows.map((row) => row.plugin_id),
    reader,
  );
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return {
    ...cappedTotal(total),
    next_cursor: last ? encodeCursor([last.sort_key, last.plugin_id], list) : null,
    plugin_list: rows.flatMap((row) => {
      const plugin = byKey.get(row.plugin_key);
      if (!plugin) return [];
      return [{ id: row.plugin_id, plugin, is_available: row.is_available, at: row.at.toISOString() }];
    }),
  };
}

/**
 * Finds the file name of the package of an installed plugin.
 * @throws PLUGIN_NOT_FOUND if the caller has not installed it, VERSION_NOT_FOUND if no package is available to them,
 * PLUGIN_WITHDRAWN, VERSION_WITHDRAWN
 */
async function findInstalledPackage(
  db: Db,
  pluginKey: string,
  { caller, ...reader }: { caller: Caller } & InstallationReader,
): Promise<string> {
  const [found] = (await readInstallations(db, caller.user_id, { key: pluginKey }, reader)).values();
  if (!found) throw appError('PLUGIN_NOT_FOUND');
  refuseWithdrawn(found.withdrawn, reader.language);
  const file = found.served?.file ?? null;
  if (file === null) throw appError('VERSION_NOT_FOUND');
  return file;
}
