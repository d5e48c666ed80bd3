import cluster from 'node:cluster';
import { Registry } from 'prom-client';
import { type Config, loadConfig } from './config.ts';
import { explainError } from './database/errors.ts';
import type { Development } from './development/join.ts';
import { SETUP_ARGUMENT } from './development/setup.ts';
import { collectProcessMetrics } from './http/gauges.ts';
import { createLog } from './http/log.ts';
import type { AppContext } from './roles/app-context.ts';
import { serveGateway, startServices } from './roles/services.ts';
import { closeOnSignals, createClosing } from './runtime/closing.ts';
import { showStartupBanner } from './runtime/startup-banner.ts';
import { runWorker } from './workers/worker.ts';

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
      showStartupBanner(await startServices(context), { log, terminal: process.stdout });
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
