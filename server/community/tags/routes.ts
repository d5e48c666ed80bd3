import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { readManagedTags } from './store.ts';
import { deleteTag, mergeTags, orderTags, saveTag } from './tags.ts';

/** Tags of the catalogue, as administrators keep them. */
export function tagsRoutes(app: FastifyInstance, guards: Guards, db: Db): void {
  implement(app, guards.admin, contract.listManagedTags, async () => ({
    tag_list: await readManagedTags(db),
  }));
  implement(app, guards.admin, contract.saveTag, ({ body, request }) => saveTag(db, body, callerOf(request)));
  implement(app, guards.admin, contract.orderTags, async ({ body, request }) => {
    await orderTags(db, body.ids, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.mergeTags, ({ body, request }) =>
    mergeTags(db, body, callerOf(request)),
  );
  implement(app, guards.admin, contract.deleteTag, async ({ body, request }) => {
    await deleteTag(db, body.id, callerOf(request));
    return {};
  });
}
