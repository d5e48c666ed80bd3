const NAMES = ['like', 'unlike', 'install', 'uninstall'] as const;

/** A change of a plugin, with the version whose permissions the visitor has seen, where a page showed them. */
export type PendingAction = {
  name: (typeof NAMES)[number];
  pluginKey: string;
  seen?: string | undefined;
};

/** What a visitor wants to do with a plugin, as text that outlives the page. */
export function pendingActionText({ name, pluginKey, seen }: PendingAction): string {
  return [name, pluginKey, ...(seen === undefined ? [] : [encodeURIComponent(seen)])].join(' ');
}

/** What pendingActionText has written; undefined for any other text. */
export function readPendingAction(text: string): PendingAction | undefined {
  const [written = '', pluginKey = '', seen, ...rest] = text.split(' ');
  const name = NAMES.find((known) => known === written);
  if (!name || pluginKey === '' || rest.length > 0) return undefined;
  return { name, pluginKey, ...(seen !== undefined && { seen: decodeURIComponent(seen) }) };
}
