import type { FastifyInstance } from 'fastify';
import { shareRoutes } from '../../../shared/routes/share.ts';
import { type Guard, implement } from '../../http/implement.ts';
import type { Db } from '../schema.ts';
import { readRange, readRanges } from './store.ts';

/** What the gateway writes sitemaps of. */
export function sitemapRoutes(app: FastifyInstance, guard: Guard, db: Db): void {
  implement(app, guard, shareRoutes.listSitemapRanges, async () => ({ range_list: await readRanges(db) }));
  implement(app, guard, shareRoutes.listSitemapPlugins, async ({ query }) => {
    const rows = await readRange(db, query.range);
    return {
      plugin_list: rows.map(({ plugin_key, updated_at }) => ({
        plugin_key,
        updated_at: updated_at.toISOString(),
      })),
    };
  });
}
