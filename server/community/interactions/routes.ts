import type { FastifyInstance } from 'fastify';
import { PRAISE_LIKE } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import type { PluginState } from '../../../shared/entities/plugin.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { checkSeen } from '../installed/installations.ts';
import { praiseOf } from '../plugins/cards.ts';
import type { Db } from '../schema.ts';
import { inBatches } from './batches.ts';
import { changeInteractions, type Interaction, type InteractionState, readStates } from './store.ts';

/** Uses that go together at a time. */
const TOGETHER_MAX = 200;

/** Installing and liking (specification section 4); each is harmless when repeated. */
export function useRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  // Uses of the same moment share one commit, so a plugin that everybody likes at once keeps nobody waiting for its counter.
  const use = inBatches(
    (uses: readonly Interaction[]) => interactTogether(db, uses),
    ({ pluginKey, userId }) => `${pluginKey} ${userId}`,
    TOGETHER_MAX,
  );
  const done = async (asked: Interaction): Promise<PluginState> => {
    const state = await use(asked);
    if (!state) throw appError('PLUGIN_NOT_FOUND');
    return state;
  };
  implement(app, guards.user, contract.installPlugin, async ({ body, request }) => {
    const asked = { pluginKey: body.plugin_key, userId: callerOf(request).user_id, version: body.version };
    await checkSeen(db, asked);
    return done({ ...asked, change: 'install' });
  });
  implement(app, guards.user, contract.uninstallPlugin, ({ body, request }) =>
    done({ pluginKey: body.plugin_key, userId: callerOf(request).user_id, change: 'uninstall' }),
  );
  implement(app, guards.user, contract.praisePlugin, ({ body, request }) =>
    done({
      pluginKey: body.plugin_key,
      userId: callerOf(request).user_id,
      change: body.praise === PRAISE_LIKE ? 'like' : 'unlike',
    }),
  );
}

/** @returns the states after the uses, null for a plugin that may not be used so */
async function interactTogether(db: Db, uses: readonly Interaction[]): Promise<(PluginState | null)[]> {
  const ids = await changeInteractions(db, uses);
  const pairs = uses.flatMap(({ userId }, index) => {
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
