import type { FastifyInstance } from 'fastify';
import { measureQueues } from '../../http/gauges.ts';
import { auditLogRoutes } from './audit-log/audit-log.ts';
import { forgetProofs } from './auth/dpop.ts';
import { followEndedTools } from './auth/ended-tools.ts';
import { startMails, startTokenNotices } from './notices/background.ts';
import { noticesRoutes } from './notices/routes.ts';
import { countUnmailed } from './notices/store.ts';

/**
 * Who calls, what they are told and what they did. `auth` reads bearers, proofs and publish tokens and decides by a route's access;
 * `activity` is which
 * accounts are used; `notices` are the messages to a person, also by mail; `audit-log` is the record of what administrators changed; `users.ts`
 * keeps names and pictures as access tokens tell them.
 */
export async function people(app: FastifyInstance): Promise<void> {
  const { db, clock: now, identityClient: ask, log } = app;
  const { isOurs, registry, toolIssuer, endedTools } = app.community;
  noticesRoutes(app);
  auditLogRoutes(app);
  startTokenNotices(app, { db, now }, log);
  if (isOurs) startMails(app, { db, ask, now }, log);
  if (isOurs && toolIssuer !== undefined) followEndedTools(app, endedTools);
  forgetProofs(app);
  measureQueues(app, { registry, log }, [
    {
      name: 'community_mails_pending',
      help: 'Notices that the user service has not accepted for mailing yet',
      count: () => countUnmailed(db),
    },
  ]);
}
