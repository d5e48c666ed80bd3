import cluster from 'node:cluster';
import { Registry } from 'prom-client';
import { BASE_PATH } from '../shared/constants.ts';
import { type Config, loadConfig } from './config.ts';
import { explainError } from './database/errors.ts';
import type { Development } from './development/join.ts';
import { SETUP_ARGUMENT } from './development/setup.ts';
import { collectProcessMetrics } from './http/gauges.ts';
import { createLog } from './http/log.ts';
import { createOps } from './http/ops.ts';
import { type AppContext, runs } from './roles/app-context.ts';
import { databaseOf } from './roles/database.ts';
import { closeOnSignals, createClosing } from './runtime/closing.ts';
import { assertListenable, listen } from './runtime/listening.ts';
import { type Notice, showStartupBanner } from './runtime/startup-banner.ts';
import { aggregateMetrics, type Workers } from './workers/primary.ts';
import { type Addresses, runWorker } from './workers/worker.ts';

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

async function serveGateway(context: AppContext, addresses: Addresses): Promise<void> {
  const role = await import('./roles/gateway.ts');
  return role.serveGateway(context, addresses);
}

/** Serves the gateway in this process, or in WORKERS processes. */
async function startGateway(context: AppContext, addresses: Addresses): Promise<Workers | undefined> {
  if (context.config.workers > 1) {
    const { startGatewayProcesses } = await import('./roles/gateway-processes.ts');
    return startGatewayProcesses(context, addresses);
  }
  await serveGateway(context, addresses);
  return undefined;
}

/** Starts the services of ROLE. Modules of other services are not loaded, to save time and memory. */
async function start(context: AppContext): Promise<Notice> {
  const { config } = context;
  await assertListenable({ host: config.host, port: config.port, setting: 'PORT' });
  await assertListenable({ host: config.opsHost, port: config.opsPort, setting: 'OPS_PORT' });
  if (runs(config, 'community') && config.services.tokens.length > 0) {
    await assertListenable(config.services.at);
  }
  const { started } = await startOps(context);
  const database = (await databaseOf(context)) ?? '';
  const identity = runs(config, 'identity')
    ? await (await import('./roles/identity.ts')).startIdentity(context, database)
    : undefined;
  const identityUrl = config.upstreams.identity ?? identity?.address ?? '';
  const community = runs(config, 'community')
    ? await (await import('./roles/community.ts')).startCommunity(context, database, identityUrl)
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

async function createContext(): Promise<AppContext> {
  const given = loadConfig();
  const development = await openDevelopment(given);
  const config = development?.config ?? given;
  const registry = new Registry();
  collectProcessMetrics(registry, config);
  // On a terminal the address should stay visible; request lines are for log collectors.
  const level = config.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info');
  const log = createLog({ level, version: config.version, isShared: config.workers > 1 });
  return { config, log, registry, closing: createClosing(log), degraded: new Map(), development };
}

/** Must run before traced apps and pools are created. OpenTelemetry is only loaded if it is used. */
async function startTracing({ config, log, closing }: AppContext): Promise<void> {
  const { endpoint, serviceName } = config.tracing;
  if (endpoint === undefined) return;
  const { traceTo } = await import('./runtime/tracing.ts');
  const tracing = traceTo({ endpoint, ca: config.upstreams.ca, serviceName, version: config.version, log });
  closing.add(() => tracing.stop());
}

/** Vite is not part of an installation, so it is only loaded in development. */
async function openDevelopment(config: Config): Promise<Development | undefined> {
  const setup = process.argv.find((argument) => argument.startsWith(SETUP_ARGUMENT));
  if (setup === undefined) return undefined;
  const { joinDevelopment } = await import('./development/join.ts');
  return joinDevelopment(setup.slice(SETUP_ARGUMENT.length), config);
}

async function main(): Promise<void> {
  const context = await createContext();
  const { closing, config, log, registry } = context;
  const after = config.shutdownDelay;
  // The workers wait themselves.
  closeOnSignals(closing, log, { after: cluster.isPrimary && config.workers > 1 ? 0 : after });
  try {
    await startTracing(context);
    if (cluster.isWorker) {
      await runWorker({
        serve: (at) => serveGateway(context, at),
        close: () => closing.close({ after }),
        registry,
      });
    } else {
      showStartupBanner(await start(context), { log, terminal: process.stdout });
      context.development?.ready();
    }
  } catch (error) {
    await closing.close();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
}
