import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { loadConfig } from '../../server/config.ts';
import { createGateway } from '../../server/gateway/app.ts';
import type { Pages } from '../../server/gateway/options.ts';
import { createLog } from '../../server/http/log.ts';
import { gatewayCredentials } from '../../server/roles/gateway.ts';
import { portOf } from '../support/port.ts';
import type { Dialect, Target, Variant } from './check.ts';
import type { Subject } from './runner.ts';

/** The dialect of this product's gateway. */
export const OWN_DIALECT: Dialect = {
  loginPath: '/api/auth/login?return_to=',
  sessionPath: '/api/auth/session',
  logoutPath: '/api/auth/logout',
  sessionCookie: /^(?:__Host-Http-)?session(?:-\d+)?$/,
  headers: { 'x-requested-with': 'plugin-square' },
};

/** This product's gateway, started in this process for every check. */
export function ownGateway(publicUrl: string): Subject {
  return {
    dialect: OWN_DIALECT,
    ports: { upstream: 0, identity: 0 },
    start: (variant, stubs) => startOwn(publicUrl, variant, stubs),
  };
}

type Stubs = { upstream: string; identity: string };

/** @param dataDir data that survives a restart; removed when the gateway is closed for good */
async function startOwn(
  publicUrl: string,
  { settings, keys = [randomBytes(32)] }: Variant,
  stubs: Stubs,
  dataDir?: string,
): Promise<Target> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'plugin-square-data-')));
  let text = '';
  const write = (line: string): void => {
    text += line;
  };
  const registry = new Registry();
  const clock = { ahead: 0 };
  const config = loadConfig({
    PUBLIC_URL: publicUrl,
    RATE_LIMIT_FACTOR: '0',
    COMMUNITY_URL: stubs.upstream,
    IDENTITY_URL: stubs.identity,
    ...settings,
  });
  const { pages, remove } = await smallPages();
  const app = await createGateway({
    config,
    upstreams: { community: stubs.upstream, helpcenter: stubs.upstream, identity: stubs.identity },
    credentials: gatewayCredentials(config),
    keys,
    dataDir: folder,
    log: createLog({ level: 'debug', version: 'conformance', destination: { write } }),
    now: () => Date.now() + clock.ahead,
    pages,
    registry,
    timeouts: { refreshRetry: 100 },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${portOf(app.server)}`,
    publicUrl: config.publicUrl,
    logText: () => text,
    figures: () => registry.metrics(),
    clock,
    async restart() {
      await app.close();
      return startOwn(publicUrl, { ...(settings && { settings }), keys }, stubs, folder);
    },
    async close() {
      await app.close();
      await remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A web client of one page and one asset. */
async function smallPages(): Promise<{ pages: Pages; remove(): Promise<void> }> {
  const clientDir = await mkdtemp(join(tmpdir(), 'plugin-square-client-'));
  await mkdir(join(clientDir, 'assets'));
  await writeFile(join(clientDir, 'assets', 'main-1a2b3c.js'), 'export {};\n');
  await writeFile(join(clientDir, 'index.html'), 'not to be served');
  const entry: Pages['entry'] = {
    target: (url) => /^[^?]*(?:\?keyword=[^&]*)?/.exec(url)?.[0] ?? '/',
    render: async () => ({ status: 200, html: '<!doctype html><title>page</title>' }),
    inlineHashes: { style: [], script: [] },
  };
  return { pages: { entry, clientDir }, remove: () => rm(clientDir, { recursive: true, force: true }) };
}
