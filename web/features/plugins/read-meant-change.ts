import { PLUGIN_CHANGES, type PluginChangeName } from './plugin-changes.ts';

/** What meantChange has put into words; undefined for other words. */
export function readMeantChange(text: string): { name: PluginChangeName; pluginKey: string } | undefined {
  const [name = '', pluginKey = '', ...rest] = text.split(' ');
  return isChangeName(name) && pluginKey !== '' && rest.length === 0 ? { name, pluginKey } : undefined;
}

function isChangeName(word: string): word is PluginChangeName {
  return Object.hasOwn(PLUGIN_CHANGES, word);
}
