import type { Boot } from '../../../shared/boot.ts';
import { keepsAccounts } from '../auth/accounts-kept.ts';
import { loginOrigin } from '../auth/login-origin.ts';
import type { GatewayConfig } from '../options.ts';
import { analyticsOf } from './analytics.ts';

/** What every page is told of the site, the same for all. */
export type SiteFacts = Pick<
  Boot,
  'languages' | 'deploy_type' | 'public_url' | 'site_url' | 'login_origin' | 'own_accounts' | 'analytics'
>;

export function siteFactsOf(config: GatewayConfig): SiteFacts {
  return {
    languages: config.languages,
    deploy_type: config.deployType,
    public_url: config.publicUrl,
    site_url: config.siteUrl,
    login_origin: loginOrigin(config),
    own_accounts: keepsAccounts(config),
    analytics: analyticsOf(config),
  };
}
