import type { MeantChange } from './meant-change.ts';
import { PLUGIN_CHANGES, type PluginChangeName } from './plugin-changes.ts';

/** What meantChange has put into words; undefined for other words. */
export function readMeantChange(text: string): MeantChange | undefined {
  const [name = '', pluginKey = '', seen, ...rest] = text.split(' ');
  if (!isChangeName(name) || pluginKey === '' || rest.length > 0) return undefined;
  return { name, pluginKey, ...(seen !== undefined && { seen: decodeURIComponent(seen) }) };
}

function isChangeName(word: string): word is PluginChangeName {
  return Object.hasOwn(PLUGIN_CHANGES, word);
}
