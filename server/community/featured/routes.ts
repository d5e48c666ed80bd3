import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { implementForm } from '../forms/implement-form.ts';
import { keepUploaded, ONE_PICTURE, type Pictures } from '../media/pictures.ts';
import type { Db } from '../schema.ts';
import { activityChange, deleteActivity, saveActivity } from './activity.ts';
import { readManagedActivity } from './store.ts';
import { deleteWork, listManagedWorks, orderWorks, saveWork, workChange } from './works.ts';

/** What the header shows of the community, as administrators keep it: featured works and the activity card. */
export function featuredRoutes(
  app: FastifyInstance,
  guards: Guards,
  { db, pictures, dataDir }: { db: Db; pictures: Pictures; dataDir: string },
): void {
  implement(app, guards.admin, contract.listManagedWorks, async () => ({
    work_list: await listManagedWorks(db),
  }));
  implementForm(
    app,
    guards.admin,
    contract.saveWork,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields: { id, ...fields }, files, request, gone }) => {
      const change = workChange(fields);
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal: gone };
      const picture = await keepUploaded(pictures, files.picture[0], turn);
      return saveWork(db, { id, change, picture }, caller);
    },
  );
  implement(app, guards.admin, contract.orderWorks, async ({ body, request }) => {
    await orderWorks(db, body.ids, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.deleteWork, async ({ body, request }) => {
    await deleteWork(db, body.id, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.readManagedActivity, async () => ({
    activity: (await readManagedActivity(db)) ?? null,
  }));
  implementForm(
    app,
    guards.admin,
    contract.saveActivity,
    { dataDir, files: { cover: ONE_PICTURE } },
    async ({ fields, files, request, gone }) => {
      const change = activityChange(fields);
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal: gone };
      const cover = await keepUploaded(pictures, files.cover[0], turn);
      return saveActivity(db, { change, cover }, caller);
    },
  );
  implement(app, guards.admin, contract.deleteActivity, async ({ request }) => {
    await deleteActivity(db, callerOf(request));
    return {};
  });
}
