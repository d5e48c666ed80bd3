import type { FastifyInstance } from 'fastify';
import { reviewRoutes } from './decisions/routes.ts';
import { manageRoutes } from './manage/routes.ts';
import { profilesRoutes } from './profiles/profiles.ts';
import { reportsRoutes } from './reports/reports.ts';
import { verifiedRoutes } from './verified/verified.ts';

/**
 * What administrators do with plugins. `decisions` is the queue of submissions and their approval; `reports` are those of
 * users; `manage` hides, recommends and marks what is there; `profiles` are reports of what publishers say
 * about themselves; `verified` are publishers with the mark, given and taken by hand.
 */
export async function review(app: FastifyInstance): Promise<void> {
  reviewRoutes(app);
  reportsRoutes(app);
  profilesRoutes(app);
  verifiedRoutes(app);
  manageRoutes(app);
}
