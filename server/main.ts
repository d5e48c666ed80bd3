import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { BASE_PATH } from '../shared/constants.ts';
import { JWKS_PATH } from '../shared/user-service.ts';
import { type Closing, closeOnSignals, createClosing } from './closing.ts';
import { createCommunity } from './community/app.ts';
import { prepareCommunity } from './community/prepare.ts';
import { type Config, loadConfig } from './config.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { openPool, type Pool } from './database/pool.ts';
import { isStartError } from './database/start-error.ts';
import { createGateway } from './gateway/app.ts';
import { loadPages } from './gateway/pages/load.ts';
import { loadSessionKeys } from './gateway/session/session-keys.ts';
import { greet, type Notice } from './greeting.ts';
import { createLog } from './http/log.ts';
import { createOps } from './http/ops.ts';
import { createIdentity } from './identity/app.ts';
import { readMethodSettings } from './identity/methods/settings/read-settings.ts';
import { prepareIdentity } from './identity/prepare.ts';
import { assertListenable, type ListenAt, listen, urlOnThisMachine } from './listening.ts';
import { VERSION } from './version.ts';

const LOOPBACK: ListenAt = { host: '127.0.0.1', port: 0, setting: 'PORT' };
const WEB_BUILD = fileURLToPath(new URL('../web/dist', import.meta.url));

/** What the program is made of. */
type Stage = { config: Config; log: Logger; registry: Registry; closing: Closing };
type Service = 'gateway' | 'community' | 'identity';

/** Own services run where no address of an existing one was given. */
function runs({ role, upstreams, auth }: Config, service: Service): boolean {
  if (role !== 'all') return role === service;
  if (service === 'identity' && auth.provider === 'oidc') return false;
  return service === 'gateway' || upstreams[service] === undefined;
}

/** The gateway listens where people come; a service does so only when it runs alone. */
function listenAt({ role, host, port }: Config, service: Service): ListenAt {
  return service === 'gateway' || role === service ? { host, port, setting: 'PORT' } : LOOPBACK;
}

async function serve({ config, closing }: Stage, service: Service, app: FastifyInstance): Promise<string> {
  closing.add(() => app.close());
  return listen(app, listenAt(config, service));
}

/** Operators can ask from the first moment to the last; `started` is told when requests are taken. */
async function startOps({ config, log, registry, closing }: Stage): Promise<{ started: () => void }> {
  let isStarted = false;
  const ops = createOps({ log, registry, ready: () => isStarted && !closing.isClosing() });
  closing.add(() => ops.close());
  await listen(ops, { host: config.opsHost, port: config.opsPort, setting: 'OPS_PORT' });
  return {
    started: () => {
      isStarted = true;
    },
  };
}

async function startDatabase({ config, log, closing }: Stage): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const database = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  closing.add(() => database.stop());
  return database.url;
}

function openServicePool({ log, closing }: Stage, url: string, schema: string): Pool {
  const pool = openPool(url, { applicationName: `plugin-square ${schema}`, schema, log });
  closing.add(() => pool.end());
  return pool;
}

/** A service that runs alone is reached from the gateway's machine, whose address TRUST_PROXY then names. */
function proxiesOf(role: Config['role'], service: Service, trustProxy: string[]): { trustProxy?: string[] } {
  return role === service ? { trustProxy: ['loopback', ...trustProxy] } : {};
}

async function startIdentity(stage: Stage, databaseUrl: string) {
  const { dataDir, admin, publicUrl, role, trustProxy, host, port, identityMethods, upstreams } =
    stage.config;
  const methods = readMethodSettings(identityMethods);
  const log = stage.log.child({ app: 'identity' });
  const pool = openServicePool(stage, databaseUrl, 'identity');
  const given = { pool, log, now: Date.now };
  const terminal = process.stdout.isTTY === true;
  const { firstAdmin } = await prepareIdentity({ ...given, dataDir, admin, terminal });
  const proxies = proxiesOf(role, 'identity', trustProxy);
  // A gateway of this program need not be asked for by its public address, which may not be reachable from here.
  const gateway = role === 'all' ? { gatewayUrl: urlOnThisMachine({ host, port }) } : {};
  const app = await createIdentity({
    ...given,
    publicUrl,
    methods,
    ca: upstreams.ca,
    ...gateway,
    ...proxies,
  });
  return { address: await serve(stage, 'identity', app), firstAdmin };
}

async function startCommunity(stage: Stage, databaseUrl: string, identityUrl: string): Promise<string> {
  const { dataDir, seed, publishers, publishing, role, trustProxy } = stage.config;
  const log = stage.log.child({ app: 'community' });
  const given = { pool: openServicePool(stage, databaseUrl, 'community'), log, now: Date.now, dataDir };
  await prepareCommunity({ ...given, seed });
  const proxies = proxiesOf(role, 'community', trustProxy);
  const app = await createCommunity({
    ...given,
    jwksUrl: `${identityUrl}${JWKS_PATH}`,
    publishers,
    publishing,
    ...proxies,
  });
  return serve(stage, 'community', app);
}

async function startGateway(stage: Stage, community: string, identity: string): Promise<string> {
  const { config, registry } = stage;
  const app = await createGateway({
    config,
    upstreams: { community, identity, helpcenter: config.upstreams.helpcenter ?? community },
    keys: await loadSessionKeys({ configured: config.session.keys, dataDir: config.dataDir }),
    log: stage.log.child({ app: 'gateway' }),
    now: Date.now,
    pages: await loadPages(WEB_BUILD),
    registry,
  });
  await serve(stage, 'gateway', app);
  return `${config.publicUrl}${BASE_PATH}`;
}

/** Starts what ROLE names and answers what to tell the person who started it. */
async function start(stage: Stage): Promise<Notice> {
  const { config } = stage;
  await assertListenable({ host: config.host, port: config.port, setting: 'PORT' });
  await assertListenable({ host: config.opsHost, port: config.opsPort, setting: 'OPS_PORT' });
  const { started } = await startOps(stage);
  const needsDatabase = runs(config, 'community') || runs(config, 'identity');
  const database = needsDatabase ? await startDatabase(stage) : '';
  const identity = runs(config, 'identity') ? await startIdentity(stage, database) : undefined;
  const identityUrl = config.upstreams.identity ?? identity?.address ?? '';
  const community = runs(config, 'community')
    ? await startCommunity(stage, database, identityUrl)
    : undefined;
  const communityUrl = config.upstreams.community ?? community ?? '';
  const gateway = runs(config, 'gateway') ? await startGateway(stage, communityUrl, identityUrl) : undefined;
  started();
  return { address: gateway ?? community ?? identityUrl, firstAdmin: identity?.firstAdmin };
}

function openStage(): Stage {
  const config = loadConfig();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // A person at a terminal wants the address to stay in sight; the request lines are for those who collect logs.
  const level = config.logLevel ?? (process.stdout.isTTY ? 'warn' : 'info');
  const log = createLog({ level, version: VERSION });
  return { config, log, registry, closing: createClosing(log) };
}

/** A fault of the surroundings is one clear line; one of ours keeps its stack. */
function explain(error: unknown): string {
  if (isStartError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Before anything that is traced is made; what it needs is loaded only then. */
async function startTracing({ config, log, closing }: Stage): Promise<void> {
  const { endpoint, serviceName } = config.tracing;
  if (endpoint === undefined) return;
  const { traceTo } = await import('./tracing/trace-to.ts');
  const tracing = traceTo({ endpoint, serviceName, version: config.version, log });
  closing.add(() => tracing.stop());
}

async function main(): Promise<void> {
  const stage = openStage();
  closeOnSignals(stage.closing, stage.log);
  try {
    await startTracing(stage);
    greet(await start(stage), { log: stage.log, terminal: process.stdout });
  } catch (error) {
    await stage.closing.close();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
