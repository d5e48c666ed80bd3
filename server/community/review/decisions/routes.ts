import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AUDIT_PASSED } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { claimAudit } from './claim.ts';
import { readAuditCode } from './code.ts';
import { decideAudit } from './decide.ts';
import { readAudit } from './detail.ts';
import { listAudits, type Reviewing } from './queue.ts';

/** Review of submissions by administrators. */
export function reviewRoutes(app: FastifyInstance): void {
  const { db, files, clock: now } = app;
  const { reviewsOwn, signing, metrics } = app.community;
  const reviewing = (request: FastifyRequest): Reviewing => ({
    caller: callerOf(request),
    language: languageOf(request),
    now: now(),
    reviewsOwn,
  });
  implement(app, contract.listAudits, ({ query, request }) => listAudits(db, query, reviewing(request)));
  implement(app, contract.readAudit, ({ query, request }) =>
    readAudit(db, query.submission_id, reviewing(request)),
  );
  implement(app, contract.readAuditCode, ({ query, request }) =>
    readAuditCode(db, files, query.submission_id, languageOf(request)),
  );
  implement(app, contract.claimAudit, ({ body, request }) => claimAudit(db, body, reviewing(request)));
  implement(app, contract.decideAudit, async ({ body, request }) => {
    const decided = await decideAudit({ db, signing }, body, reviewing(request));
    metrics.countDecided(body.audit_status === AUDIT_PASSED ? 'approved' : 'rejected');
    return decided;
  });
}
