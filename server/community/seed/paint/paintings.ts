import { drawBanner } from '../../demo/artwork/banner.ts';
import { drawCover } from '../../demo/artwork/cover.ts';
import { drawIcon } from '../../demo/artwork/icon.ts';
import { drawWork } from '../../demo/artwork/work.ts';
import type { Catalogue } from '../../demo/catalogue.ts';
import { demoKey } from '../rows.ts';
import type { Place } from './store.ts';

/** A picture of the demo that is yet to be made: its drawing, how wide that is, and the row that waits for it. */
export type Painting = { place: Place; width: number; draw: () => string };

/** How wide drawings are, pixels. */
export const DRAWN_WIDTHS = { cover: 1920, banner: 1600, work: 800, icon: 512 };

/** All pictures of the catalogue, those first that the home page shows first. */
export function paintingsOf({ activity, banners, featured, plugins }: Catalogue): Painting[] {
  const latestFirst = plugins.toSorted((a, b) => a.updated_days_ago - b.updated_days_ago);
  return [
    ...banners.map((banner, position) => ({
      place: { table: 'banner', position } as const,
      width: DRAWN_WIDTHS.banner,
      draw: () => drawBanner(banner.artwork),
    })),
    ...latestFirst.flatMap(({ slug, icon, cover }) => [
      {
        place: { table: 'icon', pluginKey: demoKey(slug) } as const,
        width: DRAWN_WIDTHS.icon,
        draw: () => drawIcon(icon),
      },
      {
        place: { table: 'cover', pluginKey: demoKey(slug) } as const,
        width: DRAWN_WIDTHS.cover,
        draw: () => drawCover(cover),
      },
    ]),
    ...featured.map((work, position) => ({
      place: { table: 'featured_work', position } as const,
      width: DRAWN_WIDTHS.work,
      draw: () => drawWork(work.artwork),
    })),
    {
      place: { table: 'activity', id: activity.activity_id } as const,
      width: DRAWN_WIDTHS.cover,
      draw: () => drawCover(activity.artwork),
    },
  ];
}
