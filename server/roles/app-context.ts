import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Closing } from '../closing.ts';
import type { Config } from '../config.ts';
import type { Pages } from '../gateway/options.ts';
import { idleEventLoop, type ListenAt, listen } from '../listening.ts';

const LOOPBACK: ListenAt = { host: '127.0.0.1', port: 0, setting: 'PORT' };

/** What the program is made of. */
export type AppContext = {
  config: Config;
  log: Logger;
  registry: Registry;
  closing: Closing;
  /** What is missing, by its name; `/readyz` tells of it. */
  degraded: Map<string, string>;
  /** In development: pages from the sources of the web client, made ready while the services start. */
  sources?: Promise<Pages>;
};
export type Service = 'gateway' | 'community' | 'identity';

/** The gateway listens where people come; a service does so only when it runs alone. */
function listenAt({ role, host, port }: Config, service: Service): ListenAt {
  return service === 'gateway' || role === service ? { host, port, setting: 'PORT' } : LOOPBACK;
}

/**
 * Has a service take requests until the program closes, and answers its address.
 * @throws StartError when the address cannot be had
 */
export async function serve(
  { config, closing }: AppContext,
  service: Service,
  app: FastifyInstance,
): Promise<string> {
  // Whoever keeps connections is told with each answer to open another one, elsewhere.
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

/** Notes in `/readyz` whether visitors see any tags. */
export function noteTags({ degraded }: Pick<AppContext, 'degraded'>): (hasTags: boolean) => void {
  return (hasTags) => {
    if (hasTags) degraded.delete('tags');
    else degraded.set('tags', 'there are no tags to publish under or to browse by');
  };
}

/** A service that runs alone is reached from the gateway's machine, whose address TRUST_PROXY then names. */
export function proxiesOf({ role, trustProxy }: Config, service: Service): { trustProxy?: string[] } {
  return role === service ? { trustProxy: ['loopback', ...trustProxy] } : {};
}
