import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { readOwnStatistics, readStatistics } from './statistics.ts';

/** Figures per day, for the overview of the backstage and for publishers. */
export function statisticsRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  implement(app, guards.admin, contract.readStatistics, ({ query }) => readStatistics(db, query, now()));
  implement(app, guards.user, contract.readOwnStatistics, ({ query, request }) =>
    readOwnStatistics(db, query, { caller: callerOf(request), now: now() }),
  );
}
