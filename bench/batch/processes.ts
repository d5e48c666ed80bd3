import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import { cookieHeader, openBrowser } from '../../test/support/browser.ts';
import { hasEnded } from '../../test/support/child-process.ts';
import { testTokenIssuer } from '../../test/support/community.ts';
import { testDatabase } from '../../test/support/database.ts';
import { spawnGateway } from '../../test/support/gateway-process.ts';
import { freePort } from '../../test/support/port.ts';
import { makeDataFolder } from '../../test/support/product.ts';
import { GATEWAY_TO_COMMUNITY, SERVICE_KEYS_SETTING } from '../../test/support/service-keys.ts';
import { startStub } from '../../test/support/stub-upstream.ts';
import { USER } from '../../test/support/user-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PUBLIC_URL = 'http://localhost:8080';
const DAY = 24 * 60 * 60;

/** Gateway and community service, each in its own process, and headers of an administrator. */
export type Running = {
  url: string;
  gatewayPid: number;
  communityPid: number;
  headers(): Promise<Record<string, string>>;
  stop(): Promise<void>;
};

export async function startBoth(): Promise<Running> {
  const closing: (() => Promise<void> | void)[] = [];
  const t = { teardown: (work: () => Promise<void> | void) => void closing.unshift(work) };
  const database = await testDatabase(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    name: 'bench',
  });
  const issuer = await testTokenIssuer(t);
  const identity = await startStub(t);
  identity.on('GET /user/login/code/user', async () => ({
    ...USER,
    access_token: await issuer.sign({ role: 2, exp: Math.floor(Date.now() / 1000) + DAY }),
    refresh_token: 'refresh',
    refresh_expires_in: DAY,
  }));
  const community = await startCommunity(t, database.url, new URL(issuer.jwksUrl).origin);
  const gateway = await spawnGateway(
    {
      PUBLIC_URL,
      COMMUNITY_URL: community.url,
      IDENTITY_URL: identity.url,
      SESSION_KEYS: Buffer.alloc(32, 7).toString('base64url'),
    },
    { keepOutput: false },
  );
  closing.unshift(gateway.stop);
  const headers = async (): Promise<Record<string, string>> => {
    const browser = openBrowser(gateway.url, PUBLIC_URL);
    await browser.signIn();
    const cookie = cookieHeader(browser.cookies);
    return { cookie, 'x-requested-with': 'plugin-square', 'sec-fetch-site': 'same-origin' };
  };
  const stop = async (): Promise<void> => {
    for (const work of closing) await work();
  };
  return { url: gateway.url, gatewayPid: gateway.pid, communityPid: community.pid, headers, stop };
}

/** The program in the role of the community service. */
async function startCommunity(
  t: { teardown(work: () => Promise<void>): void },
  databaseUrl: string,
  identityUrl: string,
): Promise<{ url: string; pid: number }> {
  const { dir, remove } = await makeDataFolder();
  t.teardown(remove);
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      ...{ ROLE: 'community', DATABASE_URL: databaseUrl, IDENTITY_URL: identityUrl, DATA_DIR: dir },
      SERVICE_KEYS: SERVICE_KEYS_SETTING,
      ...{ PORT: String(port), OPS_PORT: String(opsPort), LOG_LEVEL: 'warn' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const tags = `${url}/api/cmt/plugin/tag/list`;
  const headers = { authorization: GATEWAY_TO_COMMUNITY };
  while (!(await fetch(tags, { headers }).catch(() => undefined))?.ok) {
    if (hasEnded(child)) throw new Error('the community service did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, pid: child.pid ?? 0 };
}
