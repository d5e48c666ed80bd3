import type { FastifyInstance } from 'fastify';
import { servePublishGrantCalls } from './publish-grants.ts';
import { serveSessionCalls } from './routes.ts';
import { serveOwnSessions } from './sessions.ts';

/**
 * Who is signed in. `tokens` signs access tokens and tells the gateway that a session has ended, `rotation` renews refresh
 * tokens, `caller` knows whose bearer a request has, `sessions` lists and ends them, `publish-grants` lets community ask
 * about the owner of a publish token. How a session begins is in `sign-in`.
 */
export async function sessions(app: FastifyInstance): Promise<void> {
  await serveSessionCalls(app);
  servePublishGrantCalls(app);
  serveOwnSessions(app);
}
