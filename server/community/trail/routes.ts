import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { spanOf, trailCsv } from './export.ts';
import { listTrail } from './trail.ts';

/** The memory of who changed what, to look at and to take away. */
export function trailRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  implement(app, guards.admin, contract.listTrail, ({ query }) => listTrail(db, query));
  implement(app, guards.admin, contract.exportTrail, ({ query, reply }) => {
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-trail.csv"')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(trailCsv(db, spanOf(query))));
    return undefined;
  });
}
