import type { FastifyInstance } from 'fastify';
import { serveKeys } from './key-ring.ts';

/** The keys that sign access tokens: who reads a token gets the public ones here. `clean-up.ts` rotates them. */
export async function keys(app: FastifyInstance): Promise<void> {
  serveKeys(app, app.identity.keys);
}
