import type { FastifyInstance } from 'fastify';
import { installedRoutes } from './installed/routes.ts';
import { interactionsRoutes } from './interactions/routes.ts';

/**
 * What a person does with plugins. `interactions` are likes and installs, many at once in one statement; `installed` are a
 * person's lists, the packages that they get, and default installs.
 */
export async function use(app: FastifyInstance): Promise<void> {
  interactionsRoutes(app);
  installedRoutes(app);
}
