import { appError } from '../../http/errors.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import { findPlugin, type PluginStanding } from '../plugins/detail/store.ts';
import type { Db } from '../schema.ts';

/**
 * Finds a plugin for somebody who wants to change it: its publisher, or an administrator.
 * @throws PLUGIN_NOT_FOUND for what the caller may not even see, FORBIDDEN for somebody else's plugin
 */
export async function findEditablePlugin(db: Db, pluginKey: string, caller: Caller): Promise<PluginStanding> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  if (plugin.publisher_id === caller.user_id || isAdmin(caller)) return plugin;
  throw appError(plugin.is_visible ? 'FORBIDDEN' : 'PLUGIN_NOT_FOUND');
}
