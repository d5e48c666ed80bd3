import type { PluginChangeName } from './plugin-changes.ts';

/** What a visitor wants to do with a plugin, in words that outlive the page. */
export function meantChange(name: PluginChangeName, pluginKey: string): string {
  return `${name} ${pluginKey}`;
}
