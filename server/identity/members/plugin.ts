import type { FastifyInstance } from 'fastify';
import { checkWrite, serveMembers } from './routes.ts';

/**
 * Accounts, as super administrators manage them: `change` is one change with its record, `invitation` makes an account for
 * somebody. The hook applies to every call: a stolen session changes nobody, and nobody changes themselves.
 */
export async function members(app: FastifyInstance): Promise<void> {
  app.addHook('preHandler', (request) => checkWrite(app.identity, request));
  serveMembers(app);
}
