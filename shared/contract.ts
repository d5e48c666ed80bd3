import type { Route } from './route.ts';
import { accountRoutes, addressRoutes, ownEnterpriseRoutes } from './routes/account.ts';
import { authRoutes, userServiceRoutes } from './routes/auth.ts';
import { bannerRoutes } from './routes/banner.ts';
import { clientRoutes } from './routes/client.ts';
import { collectRoutes } from './routes/collect.ts';
import { collectionRoutes } from './routes/collection.ts';
import { docsRoutes } from './routes/docs.ts';
import { editorsCollectionRoutes } from './routes/editors-collection.ts';
import { featuredRoutes } from './routes/featured.ts';
import { followRoutes } from './routes/follow.ts';
import { helpRoutes } from './routes/help.ts';
import { insightRoutes } from './routes/insight.ts';
import { kitRoutes } from './routes/kit.ts';
import { linkedSignInRoutes, ownBindRoutes } from './routes/linked-sign-in.ts';
import { manageRoutes } from './routes/manage.ts';
import { memberRoutes } from './routes/member.ts';
import { mailPreferenceRoutes, noticeRoutes } from './routes/notice.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { ownRoutes } from './routes/own.ts';
import { ownSessionRoutes } from './routes/own-session.ts';
import { passwordRoutes } from './routes/password.ts';
import { pluginRoutes } from './routes/plugin.ts';
import { publicCollectionRoutes } from './routes/public-collection.ts';
import { batchRoutes, publishRoutes } from './routes/publish.ts';
import { publishTokenRoutes } from './routes/publish-token.ts';
import { managedPublisherRoutes, publisherRoutes } from './routes/publisher.ts';
import { reportRoutes } from './routes/report.ts';
import { reviewRoutes } from './routes/review.ts';
import { secondFactorRoutes } from './routes/second-factor.ts';
import { settingsRoutes } from './routes/settings.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { sitemapRoutes, siteRoutes } from './routes/site.ts';
import { slotRoutes } from './routes/slot.ts';
import { markRoutes, tagRoutes } from './routes/tag.ts';
import { toolRoutes } from './routes/tool.ts';
import { transparencyRoutes } from './routes/transparency.ts';
import { managedVerificationRoutes, verificationRoutes } from './routes/verification.ts';

/**
 * All operations as data. Fastify's validation and serialisation, the gateway's allowlist,
 * the typed client, its query keys, the OpenAPI document and the loop tests all come from this table.
 */
export const contract = {
  ...pluginRoutes,
  ...transparencyRoutes,
  ...clientRoutes,
  ...siteRoutes,
  ...sitemapRoutes,
  ...publishRoutes,
  ...batchRoutes,
  ...ownRoutes,
  ...publishTokenRoutes,
  ...publisherRoutes,
  ...managedPublisherRoutes,
  ...verificationRoutes,
  ...managedVerificationRoutes,
  ...reportRoutes,
  ...noticeRoutes,
  ...followRoutes,
  ...collectionRoutes,
  ...publicCollectionRoutes,
  ...editorsCollectionRoutes,
  ...reviewRoutes,
  ...manageRoutes,
  ...kitRoutes,
  ...slotRoutes,
  ...bannerRoutes,
  ...helpRoutes,
  ...tagRoutes,
  ...featuredRoutes,
  ...markRoutes,
  ...insightRoutes,
  ...settingsRoutes,
  ...authRoutes,
  ...userServiceRoutes,
  ...signInRoutes,
  ...accountRoutes,
  ...addressRoutes,
  ...mailPreferenceRoutes,
  ...passwordRoutes,
  ...ownBindRoutes,
  ...linkedSignInRoutes,
  ...ownEnterpriseRoutes,
  ...memberRoutes,
  ...ownSessionRoutes,
  ...secondFactorRoutes,
  ...oauthRoutes,
  ...toolRoutes,
  ...collectRoutes,
  ...docsRoutes,
} satisfies Record<string, Route>;

export type Contract = typeof contract;
export type Operation = keyof Contract;
