import type { FastifyInstance } from 'fastify';
import { followAccountsRegularly } from './account.ts';
import { accountsRoutes } from './routes.ts';

/** What a renamed, deleted or exported account reaches in every area. */
export async function account(app: FastifyInstance): Promise<void> {
  const { db, clock: now, identityClient: ask, log } = app;
  const { isOurs, followsAccounts } = app.community;
  accountsRoutes(app);
  if (isOurs && followsAccounts) followAccountsRegularly(app, { db, ask, now, log });
}
