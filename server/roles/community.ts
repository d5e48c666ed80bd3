import type { FastifyInstance } from 'fastify';
import type { Language } from '../../shared/languages.ts';
import { JWKS_PATH } from '../../shared/user-service.ts';
import { createCommunity } from '../community/app.ts';
import { createAccountService } from '../community/curation/third-party-accounts/service.ts';
import { openFileStore } from '../community/files/media/files.ts';
import { createStoreMetrics } from '../community/files/media/s3/metrics.ts';
import { listen } from '../runtime/listening.ts';
import { tellOperator } from '../runtime/startup-banner.ts';
import { type AppContext, loadServiceKeys, proxiesOf, reportTags, serve } from './app-context.ts';
import { prepareSite } from './prepare-site.ts';
import { openServicePool } from './service-pool.ts';

/** Starts the community service. @returns its address and, if tags were added to an empty catalogue, their languages */
export async function startCommunity(
  context: AppContext,
  databaseUrl: string,
  identityUrl: string,
): Promise<{ address: string; firstTags: Language[] | undefined }> {
  const { config } = context;
  const {
    dataDir,
    seed,
    publishers,
    publishing,
    publishRights,
    reviewsOwn,
    fourEyes,
    updates,
    publicUrl,
    approvalKey,
    pictureOrigins,
    verifyResolver,
    s3,
    services,
    role,
    protocolDir,
    brand,
    siteUrl,
    appUrl,
  } = config;
  const log = context.log.child({ app: 'community' });
  const given = { pool: openServicePool(context, databaseUrl, 'community'), log, now: Date.now, dataDir };
  const tell = (line: string) => tellOperator(line, { log, terminal: process.stdout });
  const { files, close } = await openFileStore({
    ...{ dataDir, s3, log, now: Date.now },
    onError: createStoreMetrics(context.registry),
  });
  context.closing.add(async () => close());
  const { firstTags } = await prepareSite({ ...given, url: databaseUrl, files, seed, tell });
  const app = await createCommunity({
    ...given,
    files,
    jwksUrl: `${identityUrl}${JWKS_PATH}`,
    toolIssuer: publishRights === 'identity' ? publicUrl : undefined,
    identityUrl,
    serviceKeys: loadServiceKeys(config),
    publishRights,
    ca: config.upstreams.ca,
    publishers,
    publishing,
    reviewsOwn,
    fourEyes,
    updates,
    publicUrl,
    approvalKey,
    pictureOrigins,
    verifyResolver,
    ...(config.editors.length > 0 && { editors: config.editors.map(({ id }) => id) }),
    accounts: { ...config.vendors, hasReaders: services.tokens.length > 0, keys: config.accountKeys },
    registry: context.registry,
    // A separate gateway has its own settings.
    siteSettings:
      role === 'all'
        ? {
            protocol: protocolDir !== undefined,
            brand: [brand.name, brand.color, brand.logo].some((value) => value !== undefined),
            site_url: siteUrl !== undefined,
            app_url: (appUrl ?? siteUrl) !== undefined,
          }
        : null,
    onTags: reportTags(context),
    ...proxiesOf(config, 'community'),
  });
  if (services.tokens.length > 0)
    await serveServices(context, createAccountService({ ...given, ...services, keys: config.accountKeys }));
  return { address: await serve(context, 'community', app), firstTags };
}

/** Needs its own port: in one process with the gateway, the community service listens on a random one. */
async function serveServices({ config, closing }: AppContext, app: FastifyInstance): Promise<void> {
  closing.add(() => app.close());
  await listen(app, config.services.at);
}
