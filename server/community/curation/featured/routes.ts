import type { FastifyInstance } from 'fastify';
import { PICTURE_WIDTHS } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import { textIn } from '../../../../shared/languages.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { putInOrder } from '../../catalogue/ordering.ts';
import { implementForm } from '../../files/forms/implement-form.ts';
import { ONE_PICTURE, storeUploadedPicture } from '../../files/media/pictures.ts';
import { languageOf } from '../../language.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { deleteActivity, saveActivity, validateActivity } from './activity.ts';
import { readActivityRow, readManagedActivity, readWorkRows } from './store.ts';
import { deleteWork, listManagedWorks, saveWork, validateWork } from './works.ts';

/** Featured works and the activity card of the header, and their administration. */
export function featuredRoutes(app: FastifyInstance): void {
  const { db, pictures, dataDir } = app;
  implement(app, contract.listFeaturedWorks, async ({ request }) => {
    const rows = await readWorkRows(db);
    const works = rows.map(({ title, default_lang, ...work }) => {
      const { text, lang } = textIn(title, languageOf(request), default_lang);
      return { ...work, title: text, lang };
    });
    return { work_list: works };
  });
  implement(app, contract.readActivity, async ({ query }) => {
    const row = await readActivityRow(db, query.activity_id);
    if (!row) throw appError('ACTIVITY_NOT_FOUND');
    return { ...row, cover: row.cover ? coverUrl(row.cover) : '' };
  });
  implement(app, contract.listManagedWorks, async () => ({
    work_list: await listManagedWorks(db),
  }));
  implementForm(
    app,
    contract.saveWork,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields: { id, ...fields }, files, request, signal }) => {
      const change = validateWork(fields);
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal };
      const picture = await storeUploadedPicture(pictures, files.picture[0], turn);
      return saveWork(db, { id, change, picture }, caller);
    },
  );
  implement(app, contract.orderWorks, async ({ body, request }) => {
    await putInOrder(db, 'featured_work', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
  implement(app, contract.deleteWork, async ({ body, request }) => {
    await deleteWork(db, body.id, callerOf(request));
    return {};
  });
  implement(app, contract.readManagedActivity, async () => ({
    activity: (await readManagedActivity(db)) ?? null,
  }));
  implementForm(
    app,
    contract.saveActivity,
    { dataDir, files: { cover: ONE_PICTURE } },
    async ({ fields, files, request, signal }) => {
      const change = validateActivity(fields);
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal };
      const cover = await storeUploadedPicture(pictures, files.cover[0], turn);
      return saveActivity(db, { change, cover }, caller);
    },
  );
  implement(app, contract.deleteActivity, async ({ request }) => {
    await deleteActivity(db, callerOf(request));
    return {};
  });
}

/** The wire has a single address; a medium width is enough for the small activity card. */
function coverUrl({ key, widths }: Picture): string {
  return pictureUrl(key, widths.find((width) => width >= PICTURE_WIDTHS[1]) ?? Math.max(...widths));
}
