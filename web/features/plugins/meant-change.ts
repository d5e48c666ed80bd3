import type { PluginChangeName } from './plugin-changes.ts';

/** A change of a plugin, with the version whose permissions the visitor has seen, where a page showed them. */
export type MeantChange = { name: PluginChangeName; pluginKey: string; seen?: string | undefined };

/** What a visitor wants to do with a plugin, in words that outlive the page. */
export function meantChange({ name, pluginKey, seen }: MeantChange): string {
  return [name, pluginKey, ...(seen === undefined ? [] : [encodeURIComponent(seen)])].join(' ');
}
