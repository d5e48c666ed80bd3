import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Perf } from 'lru-cache';
import { Registry } from 'prom-client';
import { ACCESS_TOKEN_TYPE } from '../../shared/user-service.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import { createApp } from '../http/app.ts';
import { measureQueues } from '../http/gauges.ts';
import { demandCredential, serviceAuthorization } from '../http/service-credential.ts';
import { followAccountsRegularly } from './account/account.ts';
import { accountsRoutes } from './account/routes.ts';
import { flushRegularly, sweepRegularly, watchTags } from './background.ts';
import { statisticsRoutes } from './catalogue/counters/statistics.ts';
import { countViews, viewsRoutes } from './catalogue/counters/views.ts';
import type { Tell } from './catalogue/filling/filling.ts';
import { marksRoutes } from './catalogue/marks/marks.ts';
import { pluginsRoutes } from './catalogue/plugins/plugins.ts';
import { countPending } from './catalogue/search/index-store.ts';
import { tagsRoutes } from './catalogue/tags/tags.ts';
import { versionsRoutes } from './catalogue/versions/versions.ts';
import { withdrawalRoutes } from './catalogue/withdrawal/withdrawal.ts';
import { openWithheldFiles } from './catalogue/withdrawal/withheld-files.ts';
import { bannersRoutes } from './curation/banners/banners.ts';
import { featuredRoutes } from './curation/featured/routes.ts';
import { qrCodesRoutes } from './curation/qr-codes/qr-codes.ts';
import { siteRoutes } from './curation/site/routes.ts';
import type { SiteSettings } from './curation/site/store.ts';
import { slotsRoutes } from './curation/slots/routes.ts';
import { type AccountSettings, thirdPartyAccountsRoutes } from './curation/third-party-accounts/routes.ts';
import { publishDemoLater } from './demo/publish-demo.ts';
import { type FileStore, openFolderStore } from './files/media/files.ts';
import { fillCoversRegularly } from './files/media/generated-cover.ts';
import { openPictures } from './files/media/pictures.ts';
import { mediaRoutes } from './files/media/routes.ts';
import { countCoverless } from './files/media/store.ts';
import { openVideos } from './files/media/stored-files.ts';
import { helpCenterRoutes } from './help/routes.ts';
import { countAnswers, createCommunityMetrics } from './metrics.ts';
import type { Publishers } from './people/auth/caller.ts';
import { authorizeCalls } from './people/auth/guard.ts';
import {
  createIdentityClient,
  type RightsSource,
  rightsByIdentity,
  rightsByLastSeen,
} from './people/auth/owner-rights.ts';
import { openTokenReader } from './people/auth/token.ts';
import { startMails, startTokenNotices } from './people/notices/background.ts';
import { noticesRoutes } from './people/notices/routes.ts';
import { countUnmailed } from './people/notices/store.ts';
import { trailRoutes } from './people/trail/trail.ts';
import { batchRoutes } from './publishing/batch/routes.ts';
import { ownRoutes } from './publishing/own/own.ts';
import { openPackageCheck } from './publishing/packages/package-check.ts';
import { createAttemptLimit, type PublishQuotas } from './publishing/publish/limits.ts';
import { publishRoutes } from './publishing/publish/routes.ts';
import { tokensRoutes } from './publishing/tokens/routes.ts';
import { reviewRoutes } from './review/decisions/routes.ts';
import { manageRoutes } from './review/manage/routes.ts';
import { reportsRoutes } from './review/reports/reports.ts';
import type { CommunityTables } from './schema.ts';
import { COMMUNITY_TIMEOUTS, type CommunityTimeouts } from './timeouts.ts';
import { installedRoutes } from './use/installed/routes.ts';
import { interactionsRoutes } from './use/interactions/routes.ts';

type CommunityOptions = {
  /** Connections with the schema `community`; the caller closes them after the app. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The clock of caches; the process's own by default. */
  perf?: Perf;
  /** Folder of running uploads, of generated keys and, without `files`, of the stored files. */
  dataDir: string;
  files?: FileStore;
  /** Address of the public keys of access tokens. */
  jwksUrl: string;
  /** Base URL of the user service, which confirms the rights of publish tokens. */
  identityUrl: string;
  /**
   * Keys of the credential between our services (setting SERVICE_KEYS): the first is sent, and hashes viewers; all are accepted.
   */
  serviceKeys: readonly Buffer[];
  /** If the user service supports our own calls; it does by default. */
  publishRights?: RightsSource;
  /** PEM of a private certificate authority of the identity service. */
  ca?: string | undefined;
  publishers: Publishers;
  /** If administrators may review their own submissions (setting REVIEW_OWN_SUBMISSIONS). */
  reviewsOwn?: boolean;
  /** Rate limits and quota of publishers (settings PUBLISH_LIMITS and PUBLISHER_QUOTA). */
  publishing: PublishQuotas;
  /** Which parts of the site its settings fill; null if another program serves the pages. */
  siteSettings?: SiteSettings | null;
  /** Where the metrics go. */
  registry?: Registry;
  /** Called at the start, and on changes, with whether visitors see any tags. */
  onTags?: (hasTags: boolean) => void;
  /** Gets lines about the progress of the demo; they are logged by default. */
  tell?: Tell;
  /** Origins of external pictures in help articles (setting PICTURE_ORIGINS). */
  pictureOrigins?: readonly string[];
  /** If missing covers are generated in the background; they are by default. */
  makesCovers?: boolean;
  /** If changes of accounts are read from the user service in the background; they are by default. */
  followsAccounts?: boolean;
  /** Vendor addresses of third-party accounts, and if services may read the accounts. */
  accounts?: AccountSettings;
  /**
   * Proxies whose X-Forwarded-For is trusted: the gateway, on the same machine by default.
   */
  trustProxy?: string[];
  /** Those of production by default. */
  timeouts?: Partial<CommunityTimeouts>;
};

const RIGHTS = { identity: rightsByIdentity, 'last-seen': rightsByLastSeen } as const;

/** The community service with all its routes of the contract (R 14.3). */
export async function createCommunity(options: CommunityOptions): Promise<FastifyInstance> {
  const {
    pool,
    log,
    now,
    perf,
    dataDir,
    serviceKeys,
    publishers,
    trustProxy = ['loopback'],
    pictureOrigins = [],
  } = options;
  const { files = openFolderStore(dataDir), reviewsOwn = false } = options;
  const { makesCovers = true, followsAccounts = true } = options;
  const db = openKysely<CommunityTables>(pool);
  const app = createApp({ log, trustProxy });
  const timeouts = { ...COMMUNITY_TIMEOUTS, ...options.timeouts };
  const { identityUrl, publishRights = 'identity', ca, siteSettings = null, onTags } = options;
  const isOurs = publishRights === 'identity';
  const readToken = openTokenReader(
    { url: options.jwksUrl, ca, timeout: timeouts.keys, typ: isOurs ? ACCESS_TOKEN_TYPE : undefined },
    now,
    log,
  );
  const [key] = serviceKeys;
  if (!key) throw new Error('SERVICE_KEYS has no key.');
  // A user service of another make is none of ours.
  const credential = isOurs ? serviceAuthorization(key, { from: 'community', to: 'identity' }) : undefined;
  const ask = createIdentityClient({ identityUrl, ca, credential, timeout: timeouts.identity });
  const rights = RIGHTS[publishRights]({ ask, now, perf });
  const pictures = openPictures(files);
  const onLateFailure = (err: unknown) => log.warn({ err }, 'a check failed after its answer');
  const packages = openPackageCheck({ onLateFailure });
  const videos = openVideos({ onLateFailure });
  app.addHook('onClose', async () => void (await Promise.all([packages.close(), videos.close()])));
  const registry = options.registry ?? new Registry();
  const metrics = createCommunityMetrics(registry);
  const submitting = { db, quotas: options.publishing, now };
  const attempts = createAttemptLimit(options.publishing.limits, now);
  const views = countViews({ key, now });
  countAnswers(app, metrics);
  // The bearer token is authenticated on every route.
  demandCredential(app, { keys: serviceKeys, service: 'community', takesBearer: () => true });
  authorizeCalls(app, { db, readToken, rights, publishers, now });
  app.removeContentTypeParser('text/plain');
  pluginsRoutes(app, db, perf);
  interactionsRoutes(app, db);
  viewsRoutes(app, db, views);
  mediaRoutes(app, { files, isWithheld: openWithheldFiles(db, { ...(perf && { perf }) }) });
  withdrawalRoutes(app, db, now);
  siteRoutes(app, {
    db,
    publishers,
    ask: createIdentityClient({ identityUrl, ca, credential, timeout: timeouts.mailSetting }),
    settings: siteSettings,
    now,
  });
  reviewRoutes(app, { db, files, now, reviewsOwn, metrics });
  manageRoutes(app, db, now);
  trailRoutes(app, db);
  statisticsRoutes(app, db, now);
  slotsRoutes(app, db, now);
  bannersRoutes(app, { db, pictures, dataDir });
  tagsRoutes(app, db);
  featuredRoutes(app, { db, pictures, dataDir });
  marksRoutes(app, db);
  qrCodesRoutes(app, { db, pictures, dataDir });
  helpCenterRoutes(app, { db, pictures, dataDir, pictureOrigins, onLateFailure });
  reportsRoutes(app, db, now);
  noticesRoutes(app, db, now);
  thirdPartyAccountsRoutes(app, { db, dataDir, now, settings: { ca, ...options.accounts } });
  ownRoutes(app, db, now);
  versionsRoutes(app, { db, files });
  installedRoutes(app, db, files);
  accountsRoutes(app, { db, pictures, dataDir, ask, now });
  if (isOurs && followsAccounts) followAccountsRegularly(app, { db, ask, now, log });
  if (isOurs) startMails(app, { db, ask, now }, log);
  tokensRoutes(app, { db, rights, publishers, now });
  batchRoutes(app, { submitting, files, pictures, videos, packages, attempts, dataDir, metrics });
  publishRoutes(app, { submitting, files, pictures, videos, packages, attempts, dataDir });
  flushRegularly(app, { db, views, now, log });
  startTokenNotices(app, { db, now }, log);
  if (makesCovers) fillCoversRegularly(app, { db, files, pictures, now }, log);
  watchTags(app, { db, log, onTags });
  measureQueues(app, { registry, log }, [
    {
      name: 'community_search_pending',
      help: 'Plugins and submissions that the search index waits for',
      count: () => countPending(db),
    },
    {
      name: 'community_mails_pending',
      help: 'Notices that the user service has not accepted for mailing yet',
      count: () => countUnmailed(db),
    },
    {
      name: 'community_covers_pending',
      help: 'Plugins whose cover has not been generated yet',
      count: () => countCoverless(db),
    },
  ]);
  sweepRegularly(app, { db, files, dataDir, now, log });
  publishDemoLater(app, { db, files, dataDir, log, now, tell: options.tell });
  return app;
}
