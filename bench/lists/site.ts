import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { createCommunity } from '../../server/community/app.ts';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import { openPool, type Pool } from '../../server/database/pool.ts';
import { type Plan, watchPlans } from '../../test/support/plans.ts';
import { BUSY_PUBLISHER, BUSY_USER, REVIEWER } from '../data/plugin.ts';
import type { Issuer } from './issuer.ts';

const log = pino({ level: 'silent' });
/** Milliseconds after which nothing is known any more of a search before. */
const FORGOTTEN = 61_000;

/** Who asks: nobody in particular, somebody with many installs, many plugins, or the right to see everything. */
export type Asker = 'visitor' | 'user' | 'publisher' | 'admin';

/** A community service on a database with many plugins. */
export type Site = {
  count: number;
  pool: Pool;
  origin: string;
  /** Milliseconds that a GET took, and what was answered. @throws for any answer but 200 */
  get(path: string, as: Asker): Promise<{ took: number; text: string }>;
  /** Milliseconds that a POST took. @throws for any answer but 200 */
  post(path: string, body: unknown, as: Asker): Promise<number>;
  plansOf(path: string, as: Asker): Promise<Plan[]>;
  close(): Promise<void>;
};

/**
 * @param forgets each read of a visitor comes a minute after the one before, as if nobody had searched for that before;
 * not for benches where others write meanwhile
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
    publishers: 'members',
    publishing: { limits: [], quotaBytes: 2 ** 30 },
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const askers: Record<Asker, Record<string, string>> = {
    visitor: {},
    user: await issuer.headersOf(BUSY_USER, 0),
    publisher: await issuer.headersOf(BUSY_PUBLISHER, 0),
    admin: await issuer.headersOf(REVIEWER, 2),
  };
  const call = async (path: string, as: Asker, body?: unknown) => {
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
    if (forgets && as === 'visitor') ahead += FORGOTTEN;
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
