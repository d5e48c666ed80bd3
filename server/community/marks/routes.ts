import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { markPlugin } from '../manage/manage.ts';
import { managingOf } from '../manage/routes.ts';
import type { Db } from '../schema.ts';
import { deleteMark, orderMarks, saveMark } from './marks.ts';
import { readManagedMarks } from './store.ts';

/** Marks of plugins, as administrators keep them and put them on plugins. */
export function marksRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  implement(app, guards.admin, contract.listManagedMarks, async () => ({
    mark_list: await readManagedMarks(db),
  }));
  implement(app, guards.admin, contract.saveMark, ({ body, request }) =>
    saveMark(db, body, callerOf(request)),
  );
  implement(app, guards.admin, contract.orderMarks, async ({ body, request }) => {
    await orderMarks(db, body.ids, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.deleteMark, async ({ body, request }) => {
    await deleteMark(db, body.id, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.markPlugin, ({ body, request }) =>
    markPlugin(db, body, managingOf(request)),
  );
}
