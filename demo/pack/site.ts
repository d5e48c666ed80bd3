import { createHash } from 'node:crypto';
import type { Past, Site } from '../../server/community/bundle/site.ts';
import { readFileRows, readPictureRows } from '../../server/community/bundle/store.ts';
import type { FileStore } from '../../server/community/files/media/files.ts';
import { openPictures, type StoredPicture } from '../../server/community/files/media/pictures.ts';
import type { Db } from '../../server/community/schema.ts';
import { BASE_PATH } from '../../shared/constants.ts';
import {
  type Catalogue,
  DEMO_REVIEWER,
  type DemoPlugin,
  demoKey,
  demoUserId,
  picturePath,
} from '../catalogue.ts';
import { readWaiting } from './store.ts';

/** The page of featured works on the wider site (R 11.2). */
const WORKS_URL = '/community/home';
const HOUR = 60;
const DAY = 24 * HOUR;
const REVIEW_TIME = 2 * HOUR;
/** Ninety days in the charts, and six to begin on any day of the week. */
const HISTORY_DAYS = 96;

/** What the demo brings beside its plugins, when these are published in `db`. */
export async function siteOf(
  catalogue: Catalogue,
  { db, files }: { db: Db; files: FileStore },
): Promise<Site> {
  const { plugins, publishers, submissions, slots, collections } = catalogue;
  const { keep } = openPictures(files);
  const kept: StoredPicture[] = [];
  const pictureKey = async (name: string): Promise<string> => {
    const picture = await keep({ content: picturePath(name) });
    kept.push(picture);
    return picture.key;
  };
  const banners: Site['banners'] = [];
  for (const { id, title, redirect } of catalogue.banners) {
    const redirect_url =
      'path' in redirect ? redirect.path : `${BASE_PATH}plugin/${demoKey(redirect.plugin)}`;
    banners.push({ title, redirect_url, picture_key: await pictureKey(`banners/${id}`) });
  }
  const works: Site['works'] = [];
  for (const { id, ...work } of catalogue.featured)
    works.push({ ...work, url: WORKS_URL, picture_key: await pictureKey(`works/${id}`) });
  const { activity_id: id, title: _title, ...activity } = catalogue.activity;
  const cover_key = await pictureKey('activity');
  const waiting = await readWaiting(db, submissions);
  const pictureKeys = waiting.flatMap(({ listing: { icon_key, cover_key: cover, panel_key } }) =>
    [icon_key, cover, panel_key].filter((key) => key !== null),
  );
  const fileKeys = waiting.flatMap(({ version }) => version?.package_key ?? []);
  return {
    people: publishers.map(({ user_id, nick_name }) => ({ user_id: demoUserId({ user_id }), nick_name })),
    administrator_id: demoUserId(DEMO_REVIEWER),
    default_lang: 'zh-CN',
    plugins: Object.fromEntries(
      plugins.map((plugin, index) => [demoKey(plugin.slug), pastOf(plugin, index)]),
    ),
    submissions: waiting,
    recommended: plugins.filter(({ recommended }) => recommended).map(({ slug }) => demoKey(slug)),
    slots: slots.map(demoKey),
    collections: collections.map(({ plugins: slugs, ...texts }) => ({
      ...texts,
      plugins: slugs.map(demoKey),
    })),
    banners,
    works,
    activity: { id, cover_key, ...activity },
    pictures: [
      ...(await readPictureRows(db, pictureKeys)),
      ...kept.map(({ key: picture_key, width, height, widths, bytes }) => ({
        ...{ picture_key, width, height, widths, bytes },
      })),
    ],
    files: await readFileRows(db, fileKeys),
  };
}

/** @param index position in the catalogue, which spreads the plugins of one day over its hours */
function pastOf({ slug, publisher, versions, likes, installs, views }: DemoPlugin, index: number): Past {
  const minutesAgo = (days: number) => days * DAY + ((index * 37) % DAY) + 2 * REVIEW_TIME;
  const days = (figure: string, total: number, minimum: number) =>
    Array.from({ length: HISTORY_DAYS }, (_, day) => {
      const ago = HISTORY_DAYS - day;
      const isWeekend = day % 7 > 4;
      const pace = (isWeekend ? 0.45 : 1) * (0.7 + (hashOf(`${slug}${figure}${ago}`) % 100) / 160);
      return Math.max(minimum, Math.round((total / 900) * (1.3 - ago / 150) * pace));
    });
  return {
    publisher_id: demoUserId(publisher),
    versions: Object.fromEntries(versions.map(({ version, days_ago }) => [version, minutesAgo(days_ago)])),
    ...{ praise_count: likes, install_count: installs, view_count: views },
    days: {
      installs: days('installs', installs, 1),
      uninstalls: days('uninstalls', Math.floor(installs / 9), 0),
      likes: days('likes', likes, 1),
      views: days('views', views, 1),
    },
  };
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}
