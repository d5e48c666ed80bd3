import { LANGUAGES, type Language } from './languages.ts';

/** Private deployments start the sign-in directly, and only they may sign out by redirect (R 1.8, R 8.14). */
const PRIVATE_DEPLOY_TYPES = ['pri', 'hwdc', 'hk', 'nh', 'gfkd', 'kdxf', 'cluster'] as const;
export const DEPLOY_TYPES = ['domestic', 'overseas', 'dev', ...PRIVATE_DEPLOY_TYPES] as const;
export type DeployType = (typeof DEPLOY_TYPES)[number];

export function isPrivate(type: DeployType): boolean {
  return (PRIVATE_DEPLOY_TYPES as readonly string[]).includes(type);
}

/** Who may create an account: anybody, those whom a super administrator invites, or nobody. */
export const SIGN_UPS = ['open', 'invited', 'closed'] as const;
export type SignUp = (typeof SIGN_UPS)[number];

/** Strangers create accounts on public sites only (R 8.29). */
export function usualSignUp(type: DeployType): SignUp {
  return isPrivate(type) ? 'invited' : 'open';
}

/** The header's three variants (R 11.1). */
export type SiteVariant = 'domestic' | 'overseas' | 'private';

export function siteVariant(type: DeployType): SiteVariant {
  if (isPrivate(type)) return 'private';
  return type === 'overseas' ? 'overseas' : 'domestic';
}

/** Languages that private deployments can choose from (R 12.5). */
export const PRIVATE_LANGUAGES: readonly Language[] = ['zh-CN', 'en-US'];

/**
 * Languages a site offers (R 12.5): domestic all, overseas all but Chinese,
 * private deployments the configured ones.
 */
export function offeredLanguages(type: DeployType, configured: readonly Language[]): readonly Language[] {
  if (isPrivate(type)) {
    const chosen = PRIVATE_LANGUAGES.filter((language) => configured.includes(language));
    return chosen.length > 0 ? chosen : PRIVATE_LANGUAGES;
  }
  return type === 'overseas' ? LANGUAGES.filter((language) => language !== 'zh-CN') : LANGUAGES;
}

/** The language without a cookie or a match in Accept-Language (R 12.4). */
export function homeLanguage(type: DeployType, offered: readonly Language[]): Language {
  const home: Language = type === 'domestic' ? 'zh-CN' : 'en-US';
  return offered.includes(home) ? home : (offered[0] ?? home);
}
