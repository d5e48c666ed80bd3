import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openKysely, type Pool } from '../database/pool.ts';
import { createApp } from '../http/app.ts';
import { decorateWithCaller, type Publishers } from './auth/caller.ts';
import { createGuard } from './auth/guard.ts';
import { openTokenReader } from './auth/token.ts';
import { settleRegularly } from './background.ts';
import { openFolderStore } from './media/files.ts';
import { mediaRoutes } from './media/routes.ts';
import { pluginsRoutes } from './plugins/routes.ts';
import type { CommunityTables } from './schema.ts';
import { paintDemoLater } from './seed/paint/paint-later.ts';
import { siteRoutes } from './site/routes.ts';
import { unimplementedRoutes } from './unimplemented.ts';
import { useRoutes } from './use/routes.ts';
import { countViews } from './views/counting.ts';
import { viewsRoutes } from './views/routes.ts';

export type CommunityOptions = {
  /** Connections that work in the schema `community`; the caller ends them after the app is closed. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Folder below which files are kept. */
  dataDir: string;
  /** Where the identity service publishes the keys of its access tokens. */
  jwksUrl: string;
  publishers: Publishers;
  /**
   * Who may name a visitor's address in X-Forwarded-For: the gateway, which listens on the same machine unless the
   * service runs alone.
   */
  trustProxy?: string[];
};

/** The community service: every route of the contract that names it (design section 3). */
export async function createCommunity(options: CommunityOptions): Promise<FastifyInstance> {
  const { pool, log, now, publishers, trustProxy = ['loopback'] } = options;
  const db = openKysely<CommunityTables>(pool);
  const app = createApp({ log, trustProxy });
  const guard = createGuard(openTokenReader(options.jwksUrl, now), publishers);
  const files = openFolderStore(options.dataDir);
  const views = countViews(now);
  decorateWithCaller(app);
  app.removeContentTypeParser('text/plain');
  pluginsRoutes(app, guard, db);
  useRoutes(app, guard, db);
  viewsRoutes(app, guard, db, views);
  mediaRoutes(app, guard, files);
  siteRoutes(app, guard, db, publishers);
  unimplementedRoutes(app, guard);
  settleRegularly(app, { db, views, now, log });
  paintDemoLater(app, { db, files, log });
  return app;
}
