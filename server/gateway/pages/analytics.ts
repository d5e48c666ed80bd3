import type { Boot } from '../../../shared/boot.ts';
import type { DeployType } from '../../../shared/deploy-types.ts';
import type { GatewayConfig } from '../options.ts';

/** Sites whose events are collected, and from when on (specification section 4; overseas law asks for consent first). */
const WHEN: Partial<Record<DeployType, 'always' | 'with-consent'>> = {
  domestic: 'always',
  overseas: 'with-consent',
};

/** What the page needs to know to collect events; null where there is no collector, or none for this kind of site. */
export function analyticsOf({
  collectorUrl,
  deployType,
  login,
}: Pick<GatewayConfig, 'collectorUrl' | 'deployType' | 'login'>): Boot['analytics'] {
  const when = WHEN[deployType];
  return collectorUrl === undefined || when === undefined ? null : { when, product: login.product };
}
