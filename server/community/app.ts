import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Perf } from 'lru-cache';
import { openKysely, type Pool } from '../database/pool.ts';
import { createApp } from '../http/app.ts';
import { followRegularly } from './account/account.ts';
import { accountsRoutes } from './account/routes.ts';
import { decorateWithCaller, type Publishers } from './auth/caller.ts';
import { createGuards } from './auth/guard.ts';
import { asker, type RightsSource, rightsAsLastSeen, rightsByIdentity } from './auth/owner-rights.ts';
import { openTokenReader } from './auth/token.ts';
import { flushRegularly, sweepRegularly, watchTags } from './background.ts';
import { bannersRoutes } from './banners/routes.ts';
import { batchRoutes } from './batch/routes.ts';
import { checklistRoutes } from './checklist/routes.ts';
import { statisticsRoutes } from './counters/statistics.ts';
import { countViews, viewsRoutes } from './counters/views.ts';
import { publishDemoLater } from './demo/load.ts';
import { featuredRoutes } from './featured/routes.ts';
import { helpCenterRoutes } from './help/routes.ts';
import { installedRoutes } from './installed/routes.ts';
import { useRoutes } from './interactions/routes.ts';
import { manageRoutes } from './manage/routes.ts';
import { marksRoutes } from './marks/routes.ts';
import { type FileStore, openFolderStore } from './media/files.ts';
import { fillCoversRegularly } from './media/fill-covers.ts';
import { openPictures } from './media/pictures.ts';
import { mediaRoutes } from './media/routes.ts';
import { openVideos } from './media/stored-files.ts';
import { startMails, startTokenNotices } from './notices/background.ts';
import { noticesRoutes } from './notices/routes.ts';
import { ownRoutes } from './own/own.ts';
import { openPackageCheck } from './packages/package-check.ts';
import { pluginsRoutes } from './plugins/plugins.ts';
import { createAttemptLimit, type PublishQuotas } from './publish/limits.ts';
import { publishRoutes } from './publish/routes.ts';
import { qrCodesRoutes } from './qr-codes/qr-codes.ts';
import { reportsRoutes } from './reports/reports.ts';
import { reviewRoutes } from './review/routes.ts';
import type { CommunityTables } from './schema.ts';
import { silentRoutes } from './silent/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { slotsRoutes } from './slots/routes.ts';
import { tagsRoutes } from './tags/tags.ts';
import { type AccountSettings, thirdPartyAccountsRoutes } from './third-party-accounts/routes.ts';
import { tokensRoutes } from './tokens/routes.ts';
import { trailRoutes } from './trail/trail.ts';
import { versionsRoutes } from './versions/versions.ts';

type CommunityOptions = {
  /** Connections that work in the schema `community`; the caller ends them after the app is closed. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The clock of what is cached, if not the process's own. */
  perf?: Perf;
  /** Folder of uploads under way, of generated keys and, unless `files` is given, of the stored files. */
  dataDir: string;
  files?: FileStore;
  /** Where the identity service publishes the keys of its access tokens. */
  jwksUrl: string;
  /** The user service's base, which is asked about owners of publish tokens. */
  identityUrl: string;
  /** Whether that service knows our own calls; it does when not said. */
  publishRights?: RightsSource;
  /** PEM of a private authority that vouches for the identity service. */
  ca?: string | undefined;
  publishers: Publishers;
  /** Whether administrators may decide on what they submitted themselves (setting REVIEW_OWN_SUBMISSIONS). */
  reviewsOwn?: boolean;
  /** How often and how much publishers may submit (settings PUBLISH_LIMITS and PUBLISHER_QUOTA). */
  publishing: PublishQuotas;
  /** Whether the protocol page shows the deployment's own texts (setting PROTOCOL_DIR); null when not known. */
  hasOwnProtocol?: boolean | null;
  /** Told at the start, and when it changes, whether visitors see any tags. */
  onTags?: (hasTags: boolean) => void;
  /** Origins whose pictures help articles may show beside our own (setting PICTURE_ORIGINS). */
  pictureOrigins?: readonly string[];
  /** Whether plugins without a cover get one made in the background; they do when not said. */
  makesCovers?: boolean;
  /** Where accounts at third parties are tried, and whether services may read them. */
  accounts?: AccountSettings;
  /**
   * Who may name a visitor's address in X-Forwarded-For: the gateway, which listens on the same machine unless the
   * service runs alone.
   */
  trustProxy?: string[];
};

const RIGHTS = { identity: rightsByIdentity, 'last-seen': rightsAsLastSeen } as const;

/** The community service: every route of the contract that names it (design section 3). */
export async function createCommunity(options: CommunityOptions): Promise<FastifyInstance> {
  const {
    pool,
    log,
    now,
    perf,
    dataDir,
    publishers,
    trustProxy = ['loopback'],
    pictureOrigins = [],
  } = options;
  const { files = openFolderStore(dataDir), reviewsOwn = false, makesCovers = true } = options;
  const db = openKysely<CommunityTables>(pool);
  const app = createApp({ log, trustProxy });
  const readToken = openTokenReader({ url: options.jwksUrl, ca: options.ca }, now, log);
  const { identityUrl, publishRights = 'identity', ca, hasOwnProtocol = null, onTags } = options;
  const rights = RIGHTS[publishRights]({ identityUrl, ca, now, perf });
  const guards = createGuards({ db, readToken, rights, publishers, now });
  const pictures = openPictures(files);
  const onLateFailure = (err: unknown) => log.warn({ err }, 'a check failed after its answer');
  const packages = openPackageCheck({ onLateFailure });
  const videos = openVideos({ onLateFailure });
  app.addHook('onClose', async () => void (await Promise.all([packages.close(), videos.close()])));
  const submitting = { db, quotas: options.publishing, now };
  const attempts = createAttemptLimit(options.publishing.limits, now);
  const views = countViews();
  decorateWithCaller(app);
  app.removeContentTypeParser('text/plain');
  pluginsRoutes(app, guards, db, perf);
  useRoutes(app, guards, db);
  viewsRoutes(app, guards, db, views);
  mediaRoutes(app, guards, files);
  siteRoutes(app, guards, db, publishers);
  reviewRoutes(app, guards, { db, files, now, reviewsOwn });
  manageRoutes(app, guards, db, now);
  silentRoutes(app, guards, db);
  trailRoutes(app, guards, db);
  statisticsRoutes(app, guards, db, now);
  slotsRoutes(app, guards, db, now);
  bannersRoutes(app, guards, { db, pictures, dataDir });
  tagsRoutes(app, guards, db);
  featuredRoutes(app, guards, { db, pictures, dataDir });
  checklistRoutes(app, guards, { db, identityUrl, ca, hasOwnProtocol });
  marksRoutes(app, guards, db);
  qrCodesRoutes(app, guards, { db, pictures, dataDir });
  helpCenterRoutes(app, guards, { db, pictures, dataDir, pictureOrigins });
  reportsRoutes(app, guards, db, now);
  noticesRoutes(app, guards, db, now);
  thirdPartyAccountsRoutes(app, guards, { db, dataDir, now, settings: { ca, ...options.accounts } });
  ownRoutes(app, guards, db, now);
  versionsRoutes(app, guards, { db, files });
  installedRoutes(app, guards, db, files);
  const ask = asker(identityUrl, ca);
  accountsRoutes(app, guards, { db, pictures, dataDir, ask, now });
  if (publishRights === 'identity') {
    followRegularly(app, { db, ask, now }, log);
    startMails(app, { db, ask, now }, log);
  }
  tokensRoutes(app, guards, { db, rights, publishers, now });
  batchRoutes(app, guards, { submitting, files, pictures, videos, packages, dataDir });
  publishRoutes(app, guards, { submitting, files, pictures, videos, packages, attempts, dataDir });
  flushRegularly(app, { db, views, now, log });
  startTokenNotices(app, { db, now }, log);
  if (makesCovers) fillCoversRegularly(app, { db, files, pictures }, log);
  watchTags(app, { db, log, onTags });
  sweepRegularly(app, { db, files, dataDir, now, log });
  publishDemoLater(app, { db, files, dataDir, log, now });
  return app;
}
