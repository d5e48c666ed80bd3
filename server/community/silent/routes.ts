import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { changeSetting, managingOf } from '../manage/manage.ts';
import type { Db } from '../schema.ts';
import { installMissing, isDefaultMissing, setSilent } from './store.ts';

const DEFAULTING = { change: setSilent, actions: { on: 'plugin.silent', off: 'plugin.not_silent' } };

/** Default installs: each comes to a person once, and stays away once it was uninstalled. */
export function silentRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  implement(
    app,
    guards.admin,
    contract.setSilentInstall,
    ({ body: { plugin_key, is_silent: isOn }, request }) =>
      changeSetting(db, DEFAULTING, { plugin_key, isOn }, managingOf(request)),
  );
  implement(app, guards.user, contract.installDefaults, async ({ request }) => {
    const { user_id: userId } = callerOf(request);
    const isMissing = await isDefaultMissing(db, userId);
    return { plugin_keys: isMissing ? await installMissing(db, userId) : [] };
  });
}
