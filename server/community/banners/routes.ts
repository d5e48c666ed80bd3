import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { implementForm } from '../forms/implement-form.ts';
import type { Pictures } from '../media/pictures.ts';
import { keepUploaded, ONE_PICTURE } from '../media/uploaded-picture.ts';
import type { Db } from '../schema.ts';
import { deleteBanner, listManagedBanners, orderBanners } from './banners.ts';
import { bannerChange, saveBanner } from './save.ts';

/** Banners of the home page, as administrators keep them. */
export function bannersRoutes(
  app: FastifyInstance,
  guards: Guards,
  { db, pictures, dataDir }: { db: Db; pictures: Pictures; dataDir: string },
): void {
  implement(app, guards.admin, contract.listManagedBanners, async () => ({
    banner_list: await listManagedBanners(db),
  }));
  implementForm(
    app,
    guards.admin,
    contract.saveBanner,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields, files, request, gone }) => {
      const change = bannerChange(fields);
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal: gone };
      const picture = await keepUploaded(pictures, files.picture[0], turn);
      return saveBanner(db, { ...change, id: fields.id, picture }, caller);
    },
  );
  implement(app, guards.admin, contract.deleteBanner, async ({ body, request }) => {
    await deleteBanner(db, body.id, callerOf(request));
    return {};
  });
  implement(app, guards.admin, contract.orderBanners, async ({ body, request }) => {
    await orderBanners(db, body.ids, callerOf(request));
    return {};
  });
}
