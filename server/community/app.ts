import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openKysely, type Pool } from '../database/pool.ts';
import { createApp } from '../http/app.ts';
import { decorateWithCaller, type Publishers } from './auth/caller.ts';
import { createGuard } from './auth/guard.ts';
import { openTokenReader } from './auth/token.ts';
import { settleRegularly } from './background.ts';
import { bannersRoutes } from './banners/routes.ts';
import { batchRoutes } from './batch/routes.ts';
import { installedRoutes } from './installed/routes.ts';
import { manageRoutes } from './manage/routes.ts';
import { type FileStore, openFolderStore } from './media/files.ts';
import { openPictures } from './media/pictures.ts';
import { mediaRoutes } from './media/routes.ts';
import { ownRoutes } from './own/routes.ts';
import { openPackageCheck } from './packages/package-check.ts';
import { pluginsRoutes } from './plugins/routes.ts';
import { publishRoutes } from './publish/routes.ts';
import type { PublishQuotas } from './publish/rules/limits.ts';
import { qrCodesRoutes } from './qr-codes/routes.ts';
import { reportsRoutes } from './reports/routes.ts';
import { reviewRoutes } from './review/routes.ts';
import type { CommunityTables } from './schema.ts';
import { finishDemoLater } from './seed/finish.ts';
import { sharesRoutes } from './share/routes.ts';
import { silentRoutes } from './silent/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { sitemapRoutes } from './sitemap/routes.ts';
import { slotsRoutes } from './slots/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { sweepRegularly } from './sweep/sweep-regularly.ts';
import { thirdPartyAccountsRoutes } from './third-party-accounts/routes.ts';
import { tokensRoutes } from './tokens/routes.ts';
import { trailRoutes } from './trail/routes.ts';
import { useRoutes } from './use/routes.ts';
import { versionsRoutes } from './versions/routes.ts';
import { countViews } from './views/counting.ts';
import { viewsRoutes } from './views/routes.ts';

export type CommunityOptions = {
  /** Connections that work in the schema `community`; the caller ends them after the app is closed. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Folder of uploads under way, of generated keys and, unless `files` is given, of the stored files. */
  dataDir: string;
  files?: FileStore;
  /** Where the identity service publishes the keys of its access tokens. */
  jwksUrl: string;
  publishers: Publishers;
  /** How often and how much publishers may hand in (settings PUBLISH_LIMITS and PUBLISHER_QUOTA). */
  publishing: PublishQuotas;
  /**
   * Who may name a visitor's address in X-Forwarded-For: the gateway, which listens on the same machine unless the
   * service runs alone.
   */
  trustProxy?: string[];
};

/** The community service: every route of the contract that names it (design section 3). */
export async function createCommunity(options: CommunityOptions): Promise<FastifyInstance> {
  const { pool, log, now, dataDir, publishers, trustProxy = ['loopback'] } = options;
  const { files = openFolderStore(dataDir) } = options;
  const db = openKysely<CommunityTables>(pool);
  const app = createApp({ log, trustProxy });
  const readToken = openTokenReader(options.jwksUrl, now, log);
  const guard = createGuard({ db, readToken, publishers, now });
  const pictures = openPictures(files);
  const packages = openPackageCheck({
    onLateFailure: (err) => log.warn({ err }, 'a package check failed after its answer'),
  });
  app.addHook('onClose', () => packages.close());
  const submitting = { db, quotas: options.publishing, now };
  const views = countViews(now);
  decorateWithCaller(app);
  app.removeContentTypeParser('text/plain');
  pluginsRoutes(app, guard, db, now);
  useRoutes(app, guard, db);
  viewsRoutes(app, guard, db, views);
  mediaRoutes(app, guard, files);
  siteRoutes(app, guard, db, publishers);
  sharesRoutes(app, guard, db, files);
  sitemapRoutes(app, guard, db);
  reviewRoutes(app, guard, { db, files, now });
  manageRoutes(app, guard, db);
  silentRoutes(app, guard, db);
  trailRoutes(app, guard, db);
  statisticsRoutes(app, guard, db, now);
  slotsRoutes(app, guard, db, now);
  bannersRoutes(app, guard, { db, pictures, dataDir });
  qrCodesRoutes(app, guard, { db, pictures, dataDir });
  reportsRoutes(app, guard, db, now);
  thirdPartyAccountsRoutes(app, guard, { db, dataDir, now });
  ownRoutes(app, guard, db, now);
  versionsRoutes(app, guard, { db, files });
  installedRoutes(app, guard, db, files);
  tokensRoutes(app, guard, db, now);
  batchRoutes(app, guard, { submitting, files, pictures, packages, dataDir });
  publishRoutes(app, guard, { submitting, files, pictures, packages, dataDir });
  settleRegularly(app, { db, views, now, log });
  sweepRegularly(app, { db, files, dataDir, now, log });
  finishDemoLater(app, { db, files, log });
  return app;
}
