import type { FastifyRequest } from 'fastify';
import type { Boot } from '../../../shared/boot.ts';
import { type DeployType, isPrivate } from '../../../shared/deploy-types.ts';
import type { GatewayConfig } from '../options.ts';
import { queryOf } from '../proxy/path.ts';
import { hasLocalAccounts, loginOrigin } from '../sign-in/login-params.ts';

/** What every page is told of the site, the same for all. */
export type PublicConfig = Pick<
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
export function publicConfigOf(config: GatewayConfig, ownHelp: boolean): PublicConfig {
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

/** What of a page depends on the program that shows it: a browser, the desktop client, a workplace chat. */
export type ClientContext = Pick<Boot, 'client' | 'embedded'>;

/**
 * Told by words of the user agent, or by `?client=desktop` and `?embed=chat`, which the page then keeps for its tab
 * (design section 5).
 */
export function clientContextOf(
  config: Pick<GatewayConfig, 'embedUserAgents' | 'desktopUserAgent'>,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): ClientContext {
  const agent = (request.headers['user-agent'] ?? '').toLowerCase();
  const query = new URLSearchParams(queryOf(request.raw.url ?? '/'));
  const names = (word: string): boolean => agent.includes(word.toLowerCase());
  const { desktopUserAgent: own } = config;
  const isDesktop = query.get('client') === 'desktop' || (own !== undefined && names(own));
  return {
    client: isDesktop ? 'desktop' : 'browser',
    embedded: query.get('embed') === 'chat' || config.embedUserAgents.some(names),
  };
}
