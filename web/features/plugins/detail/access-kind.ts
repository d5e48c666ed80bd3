import type { PluginDetail } from '../../../../shared/entities/plugin.ts';

const ANY_DOMAIN = '*';

/** How much of the network a plugin may reach. */
export type AccessKind = 'none' | 'some' | 'any';

export function accessKindOf(allowed_domains: NonNullable<PluginDetail['allowed_domains']>): AccessKind {
  if (allowed_domains.length === 0) return 'none';
  return allowed_domains.includes(ANY_DOMAIN) ? 'any' : 'some';
}
