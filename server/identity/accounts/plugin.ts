import type { FastifyInstance } from 'fastify';
import { serveAccountChanges } from './changes.ts';

/**
 * Who there is: accounts with their names, `addresses`, enterprises and password hashes, the rules for these, and the record
 * of what was changed, which other services poll. How people sign in to them and who manages them is in higher areas.
 */
export async function accounts(app: FastifyInstance): Promise<void> {
  serveAccountChanges(app);
}
