import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Development } from '../development/join.ts';
import { loadKeys } from '../encryption/keys.ts';
import type { Closing } from '../runtime/closing.ts';
import { idleEventLoop, type ListenAt, listen } from '../runtime/listening.ts';
import { tellDegraded } from '../workers/worker.ts';

const LOOPBACK: ListenAt = { host: '127.0.0.1', port: 0, setting: 'PORT' };

/** What all roles share. */
export type AppContext = {
  config: Config;
  log: Logger;
  registry: Registry;
  closing: Closing;
  /** Reasons of a degraded state, by name, for `/readyz`. */
  degraded: Map<string, string>;
  /** In development: pages from the sources of the web client, and word to the development server. */
  development?: Development | undefined;
};
export type Service = 'gateway' | 'community' | 'identity';

/** Whether this process runs a service: with ROLE=all, one without the address of an existing service. */
export function runs({ role, upstreams, auth }: Config, service: Service): boolean {
  if (role !== 'all') return role === service;
  if (service === 'identity' && auth.provider === 'oidc') return false;
  return service === 'gateway' || upstreams[service] === undefined;
}

/** A service listens on HOST and PORT if it runs alone, else on a free port for the gateway. */
function listenAt({ role, host, port }: Config, service: Service): ListenAt {
  return service === 'gateway' || role === service ? { host, port, setting: 'PORT' } : LOOPBACK;
}

/**
 * Serves an app until the program closes. @returns its address
 * @throws StartError when the address is not available
 */
export async function serve(
  { config, closing }: AppContext,
  service: Service,
  app: FastifyInstance,
): Promise<string> {
  // Clients with keep-alive connections should reconnect to another instance.
  app.server.prependListener('request', (_request, response) => {
    if (closing.isClosing()) response.setHeader('connection', 'close');
  });
  closing.add(async () => {
    await idleEventLoop();
    app.server.close();
    await app.close();
  });
  return listen(app, listenAt(config, service));
}

/** Reports a degraded feature in `/readyz`, or that it works again. A worker process tells its primary. */
export function reportDegraded({
  degraded,
}: Pick<AppContext, 'degraded'>): (feature: string, reason: string | undefined) => void {
  return (feature, reason) => {
    if (reason === undefined) degraded.delete(feature);
    else degraded.set(feature, reason);
    if (cluster.isWorker) tellDegraded([...degraded.values()]);
  };
}

/** Reports in `/readyz` whether there are tags. */
export function reportTags(context: Pick<AppContext, 'degraded'>): (hasTags: boolean) => void {
  const report = reportDegraded(context);
  return (hasTags) =>
    report('tags', hasTags ? undefined : 'there are no tags to publish under or to browse by');
}

/** A service that runs alone is called by a gateway on another machine, whose address must be in TRUST_PROXY. */
export function proxiesOf({ role, trustProxy }: Config, service: Service): { trustProxy?: string[] } {
  return role === service ? { trustProxy: ['loopback', ...trustProxy] } : {};
}

/** Keys of the credential between our services: those of SERVICE_KEYS, or one that this machine keeps for itself. */
export function loadServiceKeys({ serviceKeys, dataDir }: Config): Buffer[] {
  return loadKeys({ configured: serviceKeys, dataDir, fileName: 'service-keys' });
}
