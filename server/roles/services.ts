import { BASE_PATH } from '../../shared/constants.ts';
import { createOps } from '../http/ops.ts';
import { assertListenable, listen } from '../runtime/listening.ts';
import type { Notice } from '../runtime/startup-banner.ts';
import { aggregateMetrics, type Workers } from '../workers/primary.ts';
import type { Addresses } from '../workers/worker.ts';
import { type AppContext, runs } from './app-context.ts';
import { databaseOf } from './database.ts';

/** Serves the endpoints for operators from the start to the end of the process. */
async function startOps({ config, log, registry, closing, degraded }: AppContext) {
  let isStarted = false;
  let workers: Workers | undefined;
  const metrics = {
    contentType: registry.contentType,
    metrics: () => (workers ? aggregateMetrics(registry, workers.all()) : registry.metrics()),
  };
  const ready = () => isStarted && !closing.isClosing();
  const ops = createOps({
    log,
    registry: metrics,
    version: config.version,
    ready,
    degraded: () => [...degraded.values(), ...(workers?.degraded() ?? [])],
  });
  closing.add(() => ops.close());
  await listen(ops, { host: config.opsHost, port: config.opsPort, setting: 'OPS_PORT' });
  return {
    started: (processes: Workers | undefined) => {
      workers = processes;
      isStarted = true;
    },
  };
}

/** Loads the gateway, which the other roles do not need, and serves it in this process. */
export async function serveGateway(context: AppContext, addresses: Addresses): Promise<void> {
  const role = await import('./gateway.ts');
  return role.serveGateway(context, addresses);
}

/** Serves the gateway in this process, or in WORKERS processes. */
async function startGateway(context: AppContext, addresses: Addresses): Promise<Workers | undefined> {
  if (context.config.workers > 1) {
    const { startGatewayProcesses } = await import('./gateway-processes.ts');
    return startGatewayProcesses(context, addresses);
  }
  await serveGateway(context, addresses);
  return undefined;
}

/**
 * Starts the services of ROLE. Modules of other services are not loaded, to save time and memory.
 *
 * @returns what the operator is told
 * @throws StartError when an address is not available
 */
export async function startServices(context: AppContext): Promise<Notice> {
  const { config } = context;
  await assertListenable({ host: config.host, port: config.port, setting: 'PORT' });
  await assertListenable({ host: config.opsHost, port: config.opsPort, setting: 'OPS_PORT' });
  if (runs(config, 'community') && config.services.tokens.length > 0) {
    await assertListenable(config.services.at);
  }
  const { started } = await startOps(context);
  const database = (await databaseOf(context)) ?? '';
  const identity = runs(config, 'identity')
    ? await (await import('./identity.ts')).startIdentity(context, database)
    : undefined;
  const identityUrl = config.upstreams.identity ?? identity?.address ?? '';
  const community = runs(config, 'community')
    ? await (await import('./community.ts')).startCommunity(context, database, identityUrl)
    : undefined;
  const communityUrl = config.upstreams.community ?? community?.address ?? '';
  const isGateway = runs(config, 'gateway');
  started(
    isGateway ? await startGateway(context, { community: communityUrl, identity: identityUrl }) : undefined,
  );
  const address = isGateway ? `${config.publicUrl}${BASE_PATH}` : (community?.address ?? identityUrl);
  return {
    version: config.version,
    address,
    firstAdmin: identity?.firstAdmin,
    firstTags: community?.firstTags,
  };
}
