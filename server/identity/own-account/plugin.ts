import type { FastifyInstance } from 'fastify';
import { serveOwnAccount } from './own-account.ts';
import { serveOwnAddress } from './own-address.ts';

/** What users do with the whole of their account: profile, address, export and deletion. It reaches into every area. */
export async function ownAccount(app: FastifyInstance): Promise<void> {
  serveOwnAccount(app);
  serveOwnAddress(app);
}
