import type { FastifyInstance } from 'fastify';
import { helpCenterRoutes } from './routes.ts';

/** The help center: categories and articles in Markdown, which a worker turns into blocks. */
export async function help(app: FastifyInstance): Promise<void> {
  helpCenterRoutes(app);
}
