import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { callerOf } from '../../people/auth/caller.ts';
import {
  changeSetting,
  hidePlugin,
  listManagedPlugins,
  managingOf,
  markPlugin,
  orderRecommended,
} from './manage.ts';
import { setRecommended, setSilent } from './store.ts';

const RECOMMENDING = {
  change: setRecommended,
  actions: { on: 'plugin.recommend', off: 'plugin.unrecommend' },
};

const MAKING_DEFAULT = {
  change: setSilent,
  actions: { on: 'plugin.silent', off: 'plugin.not_silent' },
};

/** Management of all plugins by administrators. */
export function manageRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.listManagedPlugins, ({ query, request }) =>
    listManagedPlugins(db, query, managingOf(request)),
  );
  implement(app, contract.hidePlugin, ({ body, request }) =>
    hidePlugin(db, body, managingOf(request), new Date(now())),
  );
  implement(app, contract.recommendPlugin, ({ body: { plugin_key, is_recommended: isOn }, request }) =>
    changeSetting(db, RECOMMENDING, { plugin_key, isOn }, managingOf(request)),
  );
  implement(app, contract.setSilentInstall, ({ body: { plugin_key, is_silent: isOn }, request }) =>
    changeSetting(db, MAKING_DEFAULT, { plugin_key, isOn }, managingOf(request)),
  );
  implement(app, contract.markPlugin, ({ body, request }) => markPlugin(db, body, managingOf(request)));
  implement(app, contract.orderRecommended, async ({ body, request }) => {
    await orderRecommended(db, body.plugin_keys, callerOf(request));
    return {};
  });
}
