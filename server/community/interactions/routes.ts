import type { FastifyInstance } from 'fastify';
import { PRAISE_LIKE } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import type { PluginState } from '../../../shared/entities/plugin.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { checkSeen } from '../installed/installations.ts';
import type { Db } from '../schema.ts';
import { openInteractions } from './interactions.ts';
import type { Interaction } from './store.ts';

/** Installing and liking (specification section 4); each is harmless when repeated. */
export function useRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  const use = openInteractions(db);
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
