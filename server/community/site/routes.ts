import type { FastifyInstance } from 'fastify';
import { PICTURE_WIDTHS } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import type { Picture } from '../../../shared/entities/plugin.ts';
import { textIn } from '../../../shared/languages.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { sitemapRoutes } from '../../../shared/routes/site.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { callerOf, mayPublish, type Publishers } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { languageOf } from '../language.ts';
import type { Db } from '../schema.ts';
import { readActivityRow, readBannerRows, readRange, readRanges, readWorkRows } from './store.ts';

/** What surrounds the catalogue, what the gateway writes sitemaps of, and who the caller is. */
export function siteRoutes(app: FastifyInstance, guards: Guards, db: Db, publishers: Publishers): void {
  implement(app, guards.all, contract.listBanners, async ({ request }) => {
    const rows = await readBannerRows(db);
    const banners = rows.map(({ title, default_lang, ...banner }) => {
      const { text, lang } = textIn(title, languageOf(request), default_lang);
      return { ...banner, title: text, lang };
    });
    return { banner_list: banners };
  });
  implement(app, guards.all, contract.readActivity, async ({ query }) => {
    const row = await readActivityRow(db, query.activity_id);
    if (!row) throw appError('ACTIVITY_NOT_FOUND');
    return { ...row, cover: row.cover ? coverUrl(row.cover) : '' };
  });
  implement(app, guards.all, contract.listFeaturedWorks, async ({ request }) => {
    const rows = await readWorkRows(db);
    const works = rows.map(({ title, default_lang, ...work }) => {
      const { text, lang } = textIn(title, languageOf(request), default_lang);
      return { ...work, title: text, lang };
    });
    return { work_list: works };
  });
  implement(app, guards.user, contract.verifyUser, ({ request }) => {
    const caller = callerOf(request);
    return { ...caller, may_publish: mayPublish(caller, publishers) };
  });
  implement(app, guards.all, sitemapRoutes.listSitemapRanges, async () => ({
    range_list: await readRanges(db),
  }));
  implement(app, guards.all, sitemapRoutes.listSitemapPlugins, async ({ query }) => {
    const rows = await readRange(db, query.range);
    return {
      plugin_list: rows.map(({ plugin_key, updated_at }) => ({
        plugin_key,
        updated_at: updated_at.toISOString(),
      })),
    };
  });
}

/** The activity card is small; its cover is a single address, so a middle width serves. */
function coverUrl({ key, widths }: Picture): string {
  return pictureUrl(key, widths.find((width) => width >= PICTURE_WIDTHS[1]) ?? Math.max(...widths));
}
