import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { createCommunity } from '../../server/community/app.ts';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import { openPool, type Pool } from '../../server/database/pool.ts';
import { type Plan, watchPlans } from '../../test/support/plans.ts';
import { GATEWAY_TO_COMMUNITY, SERVICE_KEYS } from '../../test/support/service-keys.ts';
import { BUSY_PUBLISHER, BUSY_USER, REVIEWER } from '../data/plugin.ts';
import type { Issuer } from './issuer.ts';

const log = pino({ level: 'silent' });
/** Milliseconds after which a search is no longer cached. */
const CACHE_TIME = 61_000;

/** A visitor, a user with many installs, a publisher with many plugins, or an administrator. */
export type Caller = 'visitor' | 'user' | 'publisher' | 'admin';

/** A community service on a database with many plugins. */
export type Site = {
  count: number;
  pool: Pool;
  origin: string;
  /** Duration of a GET in milliseconds, and its answer. @throws Error unless the status is 200 */
  get(path: string, as: Caller): Promise<{ took: number; text: string }>;
  /** Duration of a POST in milliseconds. @throws Error unless the status is 200 */
  post(path: string, body: unknown, as: Caller): Promise<number>;
  plansOf(path: string, as: Caller): Promise<Plan[]>;
  close(): Promise<void>;
};

/**
 * @param forgets moves the clock by a minute before each read of a visitor, so that searches are not cached; not for
 * benches with concurrent writes
 */
export async function openSite(
  url: string,
  count: number,
  issuer: Issuer,
  { forgets = false } = {},
): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-lists-'));
  const pool = openPool(url, { applicationName: 'bench', schema: COMMUNITY_SCHEMA, log });
  const plansDuring = watchPlans(pool);
  let ahead = 0;
  const app = await createCommunity({
    pool,
    log,
    now: Date.now,
    perf: { now: () => performance.now() + ahead },
    dataDir,
    jwksUrl: issuer.jwksUrl,
    identityUrl: new URL(issuer.jwksUrl).origin,
    serviceKeys: SERVICE_KEYS,
    publishers: 'members',
    publicUrl: 'http://localhost',
    publishing: { limits: [], quotaBytes: 2 ** 30 },
    readsNames: false,
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const askers: Record<Caller, Record<string, string>> = {
    visitor: { authorization: GATEWAY_TO_COMMUNITY },
    user: await issuer.headersOf(BUSY_USER, 0),
    publisher: await issuer.headersOf(BUSY_PUBLISHER, 0),
    admin: await issuer.headersOf(REVIEWER, 2),
  };
  const call = async (path: string, as: Caller, body?: unknown) => {
    const started = performance.now();
    const headers = { ...askers[as], 'accept-language': 'en-US' };
    const answer = await request(`${origin}/api/cmt/${path}`, {
      dispatcher: agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const took = performance.now() - started;
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return { took, text };
  };
  const get: Site['get'] = (path, as) => {
    if (forgets && as === 'visitor') ahead += CACHE_TIME;
    return call(path, as);
  };
  return {
    count,
    pool,
    origin,
    get,
    post: async (path, body, as) => (await call(path, as, body)).took,
    plansOf: (path, as) => plansDuring(() => get(path, as)),
    async close() {
      await agent.close();
      await app.close();
      await pool.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
