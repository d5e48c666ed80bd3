import type { FastifyInstance } from 'fastify';
import { PRAISE_LIKE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { PluginState } from '../../../../shared/entities/plugin.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { checkSeenVersion } from '../../catalogue/installations/installations.ts';
import { praiseOf } from '../../catalogue/plugins/cards.ts';
import { callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { coalesce } from './batches.ts';
import {
  changeInteractions,
  changeUnlessLocked,
  type Interaction,
  type InteractionState,
  readStates,
} from './store.ts';

/** Interactions per statement. */
const BATCH_MAX = 200;

/** Installs and likes (R 4.1), which are idempotent. */
export function interactionsRoutes(app: FastifyInstance): void {
  const { db } = app;
  // Concurrent interactions share one commit. A plugin whose counter is locked has a lane of its own until it is free.
  const interact = coalesce(
    (interactions: readonly Interaction[], isShared) => interactAll(db, interactions, isShared),
    {
      laneOf: ({ pluginKey }) => pluginKey,
      keyOf: ({ userId }) => String(userId),
      sizeMax: BATCH_MAX,
    },
  );
  const change = async (interaction: Interaction): Promise<PluginState> => {
    const state = await interact(interaction);
    if (!state) throw appError('PLUGIN_NOT_FOUND');
    return state;
  };
  implement(app, contract.installPlugin, async ({ body, request }) => {
    const target = { pluginKey: body.plugin_key, userId: callerOf(request).user_id, version: body.version };
    await checkSeenVersion(db, target);
    return change({ ...target, change: 'install' });
  });
  implement(app, contract.uninstallPlugin, ({ body, request }) =>
    change({ pluginKey: body.plugin_key, userId: callerOf(request).user_id, change: 'uninstall' }),
  );
  implement(app, contract.praisePlugin, ({ body, request }) =>
    change({
      pluginKey: body.plugin_key,
      userId: callerOf(request).user_id,
      change: body.praise === PRAISE_LIKE ? 'like' : 'unlike',
    }),
  );
}

/** @returns the states after the changes, null for a plugin that the user may not interact with */
async function interactAll(
  db: Db,
  interactions: readonly Interaction[],
  isShared: boolean,
): Promise<(PluginState | null)[]> {
  const ids = await (isShared ? changeUnlessLocked(db, interactions) : changeInteractions(db, interactions));
  const pairs = interactions.flatMap(({ userId }, index) => {
    const pluginId = ids[index] ?? null;
    return pluginId === null ? [] : [{ pluginId, userId }];
  });
  const states = (pairs.length > 0 ? await readStates(db, pairs) : []).values();
  return ids.map((id) => (id === null ? null : toState(states.next().value)));
}

function toState(state: InteractionState | null | undefined): PluginState | null {
  if (!state) return null;
  const { is_praised, ...rest } = state;
  return { ...rest, is_praise: praiseOf(is_praised) };
}
