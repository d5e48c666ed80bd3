/** Keys of a manifest that matter to its developer alone. */
const DEVELOPER_KEYS: ReadonlySet<string> = new Set(['build', 'enableProposedApi', 'enablePrivatePluginApi']);
const DEVELOPER_NETWORK_KEYS: ReadonlySet<string> = new Set(['devAllowedDomains']);

/**
 * A package as users download it: without what is for its developer only (design section 7, rule 5).
 * @throws SyntaxError when the text is no JSON; packages that were checked are
 */
export function releasePackage(text: string): string {
  const root: unknown = JSON.parse(text.replace(/^\u{feff}/u, ''));
  if (!isRecord(root) || !isRecord(root.manifest)) return JSON.stringify(root);
  const manifest = without(root.manifest, DEVELOPER_KEYS);
  const { networkAccess } = manifest;
  if (isRecord(networkAccess)) manifest.networkAccess = without(networkAccess, DEVELOPER_NETWORK_KEYS);
  return JSON.stringify({ ...root, manifest });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(record: Record<string, unknown>, keys: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}
