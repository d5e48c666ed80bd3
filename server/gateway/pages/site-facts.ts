import type { Boot } from '../../../shared/boot.ts';
import { isPrivate } from '../../../shared/deploy-types.ts';
import type { GatewayConfig } from '../options.ts';
import { hasLocalAccounts, loginOrigin } from '../sign-in/login-params.ts';
import { analyticsOf } from './analytics.ts';

/** What every page is told of the site, the same for all. */
export type SiteFacts = Pick<
  Boot,
  | 'languages'
  | 'deploy_type'
  | 'public_url'
  | 'site_url'
  | 'app_url'
  | 'own_help'
  | 'login_origin'
  | 'sign_in_window'
  | 'own_accounts'
  | 'analytics'
  | 'developer_docs_url'
>;

/** `ownHelp`: no help center was there already, so its calls go to community. */
export function siteFactsOf(config: GatewayConfig, ownHelp: boolean): SiteFacts {
  return {
    languages: config.languages,
    deploy_type: config.deployType,
    public_url: config.publicUrl,
    own_help: ownHelp,
    login_origin: loginOrigin(config),
    ...(config.login.uxMode === 'popup' && !isPrivate(config.deployType) && { sign_in_window: true }),
    own_accounts: hasLocalAccounts(config),
    analytics: analyticsOf(config),
    ...(config.siteUrl !== undefined && { site_url: config.siteUrl }),
    ...(config.appUrl !== undefined && { app_url: config.appUrl }),
    ...(config.developerDocsUrl !== undefined && { developer_docs_url: config.developerDocsUrl }),
  };
}
