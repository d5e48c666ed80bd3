import type { PluginDetail } from '../../../../shared/entities/plugin.ts';

const ANY_DOMAIN = '*';

/** How much network access a plugin has. */
export type AccessKind = 'none' | 'some' | 'any';

export function accessKindOf(allowed_domains: NonNullable<PluginDetail['allowed_domains']>): AccessKind {
  if (allowed_domains.length === 0) return 'none';
  return allowed_domains.includes(ANY_DOMAIN) ? 'any' : 'some';
}
