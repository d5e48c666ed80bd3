import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { languageOf } from '../language.ts';
import type { Db } from '../schema.ts';
import { decideReport } from './decide.ts';
import { listOwnReports, reportPlugin } from './own.ts';
import { listReports } from './reports.ts';

/** Reports of users, and what becomes of them (design section 5). */
export function reportsRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  const doing = (request: FastifyRequest) => ({
    caller: callerOf(request),
    now: now(),
    language: languageOf(request),
  });
  implement(app, guards.user, contract.reportPlugin, ({ body, request }) =>
    reportPlugin(db, body, doing(request)),
  );
  implement(app, guards.user, contract.listOwnReports, ({ query, request }) =>
    listOwnReports(db, query, { userId: callerOf(request).user_id, language: languageOf(request) }),
  );
  implement(app, guards.admin, contract.listReports, ({ query, request }) =>
    listReports(db, query, languageOf(request)),
  );
  implement(app, guards.admin, contract.decideReport, ({ body, request }) =>
    decideReport(db, body, doing(request)),
  );
}
