import { appError } from '../../http/errors.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import type { Db } from '../schema.ts';
import { findPlugin, type PluginStanding } from './store.ts';

/** A plugin the caller may see, and whether they see all of it: their own, or as an administrator. */
type SeenPlugin = { id: number; isOwn: boolean };

/**
 * Finds a plugin for a caller. What has not passed the review, or is hidden, is there for its publisher and for
 * administrators alone.
 * @throws PLUGIN_NOT_FOUND, the same for what does not exist and for what may not be seen
 */
export async function findSeenPlugin(db: Db, pluginKey: string, caller: Caller | null): Promise<SeenPlugin> {
  const plugin = await findPlugin(db, pluginKey);
  const isOwn = plugin !== undefined && caller !== null && isTrusted(plugin, caller);
  if (!plugin || !(plugin.is_visible || isOwn)) throw appError('PLUGIN_NOT_FOUND');
  return { id: plugin.id, isOwn };
}

function isTrusted(plugin: PluginStanding, caller: Caller): boolean {
  return plugin.publisher_id === caller.user_id || isAdmin(caller);
}

/**
 * Finds a plugin for somebody who wants to change it: its publisher, or an administrator.
 * @throws PLUGIN_NOT_FOUND for what the caller may not even see, FORBIDDEN for somebody else's plugin
 */
export async function findEditablePlugin(db: Db, pluginKey: string, caller: Caller): Promise<PluginStanding> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  if (isTrusted(plugin, caller)) return plugin;
  throw appError(plugin.is_visible ? 'FORBIDDEN' : 'PLUGIN_NOT_FOUND');
}
