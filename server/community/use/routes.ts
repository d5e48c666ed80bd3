import type { FastifyInstance } from 'fastify';
import { PRAISE_LIKE } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import type { PluginState } from '../../../shared/entities/plugin.ts';
import { appError } from '../../http/errors.ts';
import { type Guard, implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import { praiseOf } from '../plugins/cards/cards.ts';
import type { Db } from '../schema.ts';
import { findReleasable, findUsable, install, like, readUseState, uninstall, unlike } from './store.ts';

type Use = { pluginId: number; userId: number };

/** Installing and liking (specification section 4); each is harmless when repeated. */
export function useRoutes(app: FastifyInstance, guard: Guard, db: Db): void {
  const take = async (change: typeof install, pluginKey: string, userId: number) =>
    apply(db, change, await findUsable(db, pluginKey), userId);
  const release = async (change: typeof install, pluginKey: string, userId: number) =>
    apply(db, change, await findReleasable(db, pluginKey, userId), userId);

  implement(app, guard, contract.installPlugin, ({ body, request }) =>
    take(install, body.plugin_key, callerOf(request).user_id),
  );
  implement(app, guard, contract.uninstallPlugin, ({ body, request }) =>
    release(uninstall, body.plugin_key, callerOf(request).user_id),
  );
  implement(app, guard, contract.praisePlugin, ({ body, request }) =>
    body.praise === PRAISE_LIKE
      ? take(like, body.plugin_key, callerOf(request).user_id)
      : release(unlike, body.plugin_key, callerOf(request).user_id),
  );
}

async function apply(
  db: Db,
  change: (db: Db, use: Use) => Promise<void>,
  pluginId: number | undefined,
  userId: number,
): Promise<PluginState> {
  if (pluginId === undefined) throw appError('PLUGIN_NOT_FOUND');
  await change(db, { pluginId, userId });
  const state = await readUseState(db, { pluginId, userId });
  if (!state) throw appError('PLUGIN_NOT_FOUND');
  const { is_praised, ...rest } = state;
  return { ...rest, is_praise: praiseOf(is_praised) };
}
