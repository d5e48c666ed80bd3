import { execFileSync, fork, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cookieHeader, openBrowser } from '../../test/support/browser.ts';
import { endChild, hasEnded } from '../../test/support/child-process.ts';
import { spawnGateway } from '../../test/support/gateway-process.ts';
import { freePort } from '../../test/support/port.ts';

const PUBLIC_URL = 'http://localhost:8080';

/** A proxy in its own process. */
export type Measured = {
  name: string;
  url: string;
  pid: number;
  /** Headers of a permitted call, valid for some seconds. */
  headers: () => Promise<Record<string, string>>;
  stop(): Promise<void>;
};

const noHeaders = async (): Promise<Record<string, string>> => ({});

/** Starts a program that sends its address as first message. Its log is read and discarded. */
async function start(file: string, ...args: string[]): Promise<Omit<Measured, 'name' | 'headers'>> {
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc'];
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { stdio });
  child.stdout?.resume();
  const [message] = await once(child, 'message');
  return { url: message.url, pid: child.pid ?? 0, stop: () => endChild(child, 'SIGKILL') };
}

export const startUpstream = () => start('upstream.ts');

export const startBare = async (upstream: string): Promise<Measured> => ({
  name: 'bare @fastify/http-proxy',
  headers: noHeaders,
  ...(await start('bare.ts', upstream)),
});

export const startExpress = async (upstream: string): Promise<Measured> => ({
  name: 'express + http-proxy-middleware',
  headers: noHeaders,
  ...(await start('express.ts', upstream)),
});

/** A peer with a session from its `/login`. */
async function startPeer(name: string, file: string, upstream: string): Promise<Measured> {
  const started = await start(file, upstream);
  const headers = async () => {
    const { headers: received } = await fetch(`${started.url}/login`);
    const cookie = received.getSetCookie().map((line) => line.split(';')[0]);
    return { cookie: cookie.join('; '), 'x-requested-with': 'plugin-square' };
  };
  return { name, headers, ...started };
}

/** Gateways from packages that do the same work as ours. */
export const startPeers = (upstream: string): Promise<Measured[]> =>
  Promise.all([
    startPeer('fastify, like for like', 'fastify-peer.ts', upstream),
    startPeer('express, like for like', 'express-peer.ts', upstream),
  ]);

/** This gateway with all features, and the cookies of a signed-in user. Rate limits are active, but too high to be reached. */
export async function startOurs(
  upstream: string,
  execArgv: string[] = [],
  spawn: typeof spawnGateway = spawnGateway,
): Promise<Measured> {
  const settings = {
    PUBLIC_URL,
    COMMUNITY_URL: upstream,
    IDENTITY_URL: upstream,
    SESSION_KEYS: Buffer.alloc(32, 7).toString('base64url'),
    RATE_LIMIT_FACTOR: '100000',
  };
  const gateway = await spawn(settings, { execArgv, keepOutput: false });
  /** The load generator ignores renewed session cookies, so it signs in each time. */
  const headers = async () => {
    const browser = openBrowser(gateway.url, PUBLIC_URL);
    await browser.signIn();
    return {
      cookie: cookieHeader(browser.cookies),
      'x-requested-with': 'plugin-square',
      'sec-fetch-site': 'same-origin',
    };
  };
  return { name: 'this gateway', url: gateway.url, pid: gateway.pid, headers, stop: gateway.stop };
}

/** The gateway of the checkout in `BESIDE`. */
export async function startBeside(upstream: string, folder: string): Promise<Measured> {
  const file = pathToFileURL(join(resolve(folder), 'test/support/gateway-process.ts')).href;
  const { spawnGateway: spawnOther } = await import(file);
  return { ...(await startOurs(upstream, [], spawnOther)), name: 'gateway beside' };
}

/** This gateway for visitors. */
export async function startOursForVisitors(upstream: string, execArgv: string[] = []): Promise<Measured> {
  const settings = {
    PUBLIC_URL,
    COMMUNITY_URL: upstream,
    IDENTITY_URL: upstream,
    SESSION_KEYS: Buffer.alloc(32, 7).toString('base64url'),
    RATE_LIMIT_FACTOR: '100000',
  };
  const { url, pid, stop } = await spawnGateway(settings, { execArgv, keepOutput: false });
  const headers = async () => ({ 'x-requested-with': 'plugin-square', 'sec-fetch-site': 'same-origin' });
  return { name: 'this gateway, cached responses', url, pid, headers, stop };
}

/** nginx with one worker and keep-alive; undefined if it is not installed. */
export async function startNginx(upstream: string, { caches = false } = {}): Promise<Measured | undefined> {
  if (!isInstalled('nginx')) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, nginxConfiguration(folder, { port, upstream: new URL(upstream).host, caches }));
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (hasEnded(child)) throw new Error('nginx did not start');
  }
  const end = async (): Promise<void> => {
    await endChild(child, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  return {
    name: caches ? 'nginx proxy_cache' : 'nginx proxy_pass',
    url,
    pid: child.pid ?? 0,
    headers: noHeaders,
    stop: end,
  };
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function nginxConfiguration(
  folder: string,
  { port, upstream, caches }: { port: number; upstream: string; caches: boolean },
): string {
  // Otherwise its workers run as nobody, who may not write to the folder.
  const owner = process.getuid?.() === 0 ? 'user root;' : '';
  const zone = caches ? `proxy_cache_path ${folder}/kept keys_zone=kept:10m;` : '';
  const kept = caches ? 'proxy_cache kept; proxy_cache_valid 200 5s; proxy_cache_use_stale updating;' : '';
  return `
daemon off;
${owner}
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 12000; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000000;
  ${zone}
  upstream services { server ${upstream}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://services;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      ${kept}
    }
  }
}
`;
}
