/** A plugin whose collections the viewer chooses. */
export type Collected = { plugin_key: string; name: string };

const ACTION = 'collect ';

/** Serializes what a visitor wanted to collect, so that it survives their sign-in. */
export function pendingCollectText(plugin: Collected): string {
  return ACTION + new URLSearchParams(plugin);
}

/** Parses that text; undefined for any other text. */
export function readPendingCollect(text: string): Collected | undefined {
  if (!text.startsWith(ACTION)) return undefined;
  const values = new URLSearchParams(text.slice(ACTION.length));
  const [plugin_key, name] = [values.get('plugin_key'), values.get('name')];
  return plugin_key && name ? { plugin_key, name } : undefined;
}
