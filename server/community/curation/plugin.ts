import type { FastifyInstance } from 'fastify';
import { bannersRoutes } from './banners/banners.ts';
import { featuredRoutes } from './featured/routes.ts';
import { qrCodesRoutes } from './qr-codes/qr-codes.ts';
import { siteRoutes } from './site/routes.ts';
import { slotsRoutes } from './slots/routes.ts';
import { thirdPartyAccountsRoutes } from './third-party-accounts/routes.ts';

/**
 * What administrators do with the site: `slots` and `banners` of the home page, `featured` works and activity, `qr-codes`,
 * `third-party-accounts` for icon fonts and pictures, and what `site` still lacks.
 */
export async function curation(app: FastifyInstance): Promise<void> {
  slotsRoutes(app);
  bannersRoutes(app);
  featuredRoutes(app);
  qrCodesRoutes(app);
  siteRoutes(app);
  thirdPartyAccountsRoutes(app);
}
