const NAMES = ['like', 'unlike', 'install', 'uninstall'] as const;

/** A change of a plugin, with the version whose permissions the visitor has seen, if any. */
export type PendingAction = {
  name: (typeof NAMES)[number];
  pluginKey: string;
  seen?: string | undefined;
};

/** Serializes a pending action, so that it survives leaving the page. */
export function pendingActionText({ name, pluginKey, seen }: PendingAction): string {
  return [name, pluginKey, ...(seen === undefined ? [] : [encodeURIComponent(seen)])].join(' ');
}

/** Parses the text of pendingActionText; undefined for any other text. */
export function readPendingAction(text: string): PendingAction | undefined {
  const [written = '', pluginKey = '', seen, ...rest] = text.split(' ');
  const name = NAMES.find((known) => known === written);
  if (!name || pluginKey === '' || rest.length > 0) return undefined;
  return { name, pluginKey, ...(seen !== undefined && { seen: decodeURIComponent(seen) }) };
}
