import { BASE_PATH } from '../../../../shared/constants.ts';
import { type DeployType, isPrivate } from '../../../../shared/deploy-types.ts';

/** Whether search engines may know this site: not one of a company's own, and not one that is being built. */
export function isPublicSite(deployType: DeployType): boolean {
  return !isPrivate(deployType) && deployType !== 'dev';
}

/** What crawlers may look at (RFC 9309), and where the sitemap is. */
export function robotsTxt({ deployType, publicUrl }: { deployType: DeployType; publicUrl: string }): string {
  if (!isPublicSite(deployType)) return 'User-agent: *\nDisallow: /\n';
  return [
    'User-agent: *',
    'Disallow: /api/auth/',
    'Disallow: /user/',
    `Disallow: ${BASE_PATH}backstage-index/`,
    '',
    `Sitemap: ${new URL(`${BASE_PATH}sitemap.xml`, publicUrl).href}`,
    '',
  ].join('\n');
}
