import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { type Guard, implement } from '../../http/implement.ts';
import type { Db } from '../schema.ts';
import { readStatistics } from './statistics.ts';

/** Figures per day, for the overview of the backstage. */
export function statisticsRoutes(app: FastifyInstance, guard: Guard, db: Db, now: () => number): void {
  implement(app, guard, contract.readStatistics, ({ query }) => readStatistics(db, query, now()));
}
