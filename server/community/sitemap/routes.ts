import type { FastifyInstance } from 'fastify';
import { sitemapRoutes as contract } from '../../../shared/routes/sitemap.ts';
import { implement } from '../../http/implement.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { readRange, readRanges } from './store.ts';

/** What the gateway writes sitemaps of. */
export function sitemapRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  implement(app, guards.all, contract.listSitemapRanges, async () => ({
    range_list: await readRanges(db),
  }));
  implement(app, guards.all, contract.listSitemapPlugins, async ({ query }) => {
    const rows = await readRange(db, query.range);
    return {
      plugin_list: rows.map(({ plugin_key, updated_at }) => ({
        plugin_key,
        updated_at: updated_at.toISOString(),
      })),
    };
  });
}
