import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { readStatistics } from './statistics.ts';

/** Figures per day, for the overview of the backstage. */
export function statisticsRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  implement(app, guards.admin, contract.readStatistics, ({ query }) => readStatistics(db, query, now()));
}
