import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { loadConfig } from '../../server/config.ts';
import { createGateway } from '../../server/gateway/app.ts';
import type { GatewayOptions, Pages } from '../../server/gateway/options.ts';
import type { GatewayTimeouts } from '../../server/gateway/timeouts.ts';
import { createLog } from '../../server/http/log.ts';
import type { FetchPageQuery, PageQuery, ServerEntry } from '../../shared/boot.ts';
import { type Browser, openBrowser, send } from './browser.ts';
import { portOf } from './port.ts';
import { type StubUpstream, startStub } from './stub-upstream.ts';
import { until } from './until.ts';
import { type Issued, scriptUserService } from './user-service.ts';

type Test = { teardown(work: () => Promise<void>): void };

export type TestGateway = {
  url: string;
  /** The gateway's configured origin. */
  publicUrl: string;
  community: StubUpstream;
  helpcenter: StubUpstream;
  identity: StubUpstream;
  /** Tokens and codes of the stub user service; none of them may leave the gateway. */
  issued: Issued;
  /** The lines logged so far, parsed. */
  lines(): Record<string, unknown>[];
  logText(): string;
  /** Number of received requests. */
  received(): number;
  /** Resolves when every completed request has been logged. */
  logged(): Promise<void>;
  registry: Registry;
  /**
   * What a test adds to the gateway's clocks. They move by nothing else, so that the speed of the machine does not decide what
   * has expired.
   */
  clock: { ahead: number };
  browser(): Browser;
  close(): Promise<void>;
};

export type GatewaySetup = {
  /** Settings as environment variables. */
  settings?: Record<string, string>;
  keys?: Buffer[];
  entry?: Partial<ServerEntry>;
  /** Queries of every page; by default the home page queries its list. */
  queries?: readonly PageQuery[];
  /** An address instead of a stub. */
  upstreams?: Partial<Record<'community' | 'helpcenter' | 'identity', string>>;
  /** None by default. */
  credentials?: GatewayOptions['credentials'];
  /** Other than those of production. */
  timeouts?: Partial<GatewayTimeouts>;
  /** Deadline of running requests at the end, in milliseconds. */
  closeWithin?: number;
  onTags?: (hasTags: boolean) => void;
  /** Persistent data folder; none by default. */
  dataDir?: string;
  /** Milliseconds since 1970, beside services with that clock; the time of the start by default. */
  now?: () => number;
  share?: Pick<TestGateway, 'community' | 'helpcenter' | 'identity' | 'issued'>;
};

/** A gateway on a real port with three stub services. Its site is `http://localhost:8080` by default. */
export async function startGateway(t: Test, setup: GatewaySetup = {}): Promise<TestGateway> {
  const stubs = setup.share ?? (await startStubs(t));
  let text = '';
  const registry = new Registry();
  const clock = { ahead: 0 };
  const start = performance.now();
  const begun = Date.now();
  const { now = () => begun } = setup;
  const config = loadConfig({ ...setup.settings });
  const app = await createGateway({
    config,
    upstreams: {
      community: stubs.community.url,
      helpcenter: stubs.helpcenter.url,
      identity: stubs.identity.url,
      ...setup.upstreams,
    },
    ...(setup.credentials && { credentials: setup.credentials }),
    keys: setup.keys ?? [randomBytes(32)],
    log: createLog({
      level: 'debug',
      version: 'test',
      destination: {
        write: (line: string) => {
          text += line;
        },
      },
    }),
    now: () => now() + clock.ahead,
    perf: { now: () => start + clock.ahead },
    pages: await fixturePages(t, setup),
    registry,
    ...(setup.dataDir !== undefined && { dataDir: setup.dataDir }),
    timeouts: { refreshRetry: 100, ...setup.timeouts },
    ...(setup.closeWithin !== undefined && { closeWithin: setup.closeWithin }),
    ...(setup.onTags && { onTags: setup.onTags }),
  });
  let received = 0;
  app.server.on('request', () => {
    received += 1;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${portOf(app.server)}`;
  const close = async (): Promise<void> => {
    await app.close();
  };
  t.teardown(close);
  const { community, helpcenter, identity, issued } = stubs;
  const lines = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Record<string, unknown> => JSON.parse(line));
  return {
    url,
    publicUrl: config.publicUrl,
    ...{ community, helpcenter, identity, issued },
    lines,
    logText: () => text,
    received: () => received,
    async logged() {
      const { headers } = await send(url, '/robots.txt');
      await until(() => lines().some(({ reqId }) => reqId === headers['x-request-id']));
    },
    registry,
    clock,
    browser: () => openBrowser(url, config.publicUrl),
    close,
  };
}

async function startStubs(t: Test): Promise<NonNullable<GatewaySetup['share']>> {
  const [community, helpcenter, identity] = await Promise.all([startStub(t), startStub(t), startStub(t)]);
  community.on('GET /api/cmt/manager/verify', () => ({
    user_id: 7,
    nick_name: 'Ada',
    avatar_url: '',
    role: 0,
    may_publish: false,
  }));
  return { community, helpcenter, identity, issued: scriptUserService(identity) };
}

/** A minimal web client that shows its boot data and query results. */
const entryWith = (queries: GatewaySetup['queries']): ServerEntry => ({
  target: (url) => {
    const { pathname, searchParams } = new URL(url, 'http://page');
    const known = ['keyword', 'lang'].flatMap((name) =>
      searchParams.getAll(name).map((value) => [name, value]),
    );
    return pathname + (known.length > 0 ? `?${new URLSearchParams(known)}` : '');
  },
  render: async (url, boot, fetchQuery) => {
    const path = url.split('?', 1)[0];
    if (path === '/plugins/broken') throw new Error('broken on purpose');
    const answered = await answeredOf(queries ?? (path === '/plugins/' ? HOME_QUERIES : []), fetchQuery);
    const data = JSON.stringify({ ...boot, answered, url }).replaceAll('<', '\\u003c');
    return {
      status: path === '/plugins/nowhere' ? 404 : 200,
      html: `<!doctype html><title>fixture</title><script type="application/json" id="boot">${data}</script>`,
    };
  },
  inlineHashes: { style: ['sha256-c3R5bGU='], script: [] },
});

const HOME_QUERIES: readonly PageQuery[] = [{ operation: 'listPlugins', payload: { sort: 1 } }];

/** The queries with their results. */
async function answeredOf(queries: readonly PageQuery[], fetchQuery: FetchPageQuery) {
  const results = await Promise.all(queries.map(fetchQuery));
  return queries.flatMap((query, index) => {
    const result = results[index];
    return result ? [{ ...query, ...result }] : [];
  });
}

async function fixturePages(
  t: Test,
  { entry: changed, queries }: Pick<GatewaySetup, 'entry' | 'queries'>,
): Promise<Pages> {
  const clientDir = await mkdtemp(join(tmpdir(), 'plugin-square-client-'));
  t.teardown(() => rm(clientDir, { recursive: true, force: true }));
  await mkdir(join(clientDir, 'assets', 'fonts'), { recursive: true });
  const script = `export const text = '${'x'.repeat(2000)}';\n`;
  await writeFile(join(clientDir, 'assets', 'main-1a2b3c.js'), script);
  await writeFile(join(clientDir, 'assets', 'main-1a2b3c.js.br'), brotliCompressSync(script));
  await writeFile(join(clientDir, 'index.html'), 'not to be served');
  await writeFile(join(clientDir, 'humans.txt'), 'Made by people.\n');
  await writeFile(join(clientDir, 'favicon.ico'), 'icon');
  return { entry: { ...entryWith(queries), ...changed }, clientDir };
}
