import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { OwnStatistics, Statistics } from '../../../../shared/entities/backstage.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { readTotals } from '../../tally.ts';
import { findEditablePlugin } from '../plugins/access.ts';
import { findPlugin } from '../plugins/store.ts';
import {
  ALL_PLUGINS,
  countVisible,
  type OwnDay,
  readDailyStatistics,
  readOwnDays,
  readOwnTotals,
  readPluginTotals,
} from './statistics-store.ts';

/** Daily statistics for administrators and publishers. */
export function statisticsRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.readStatistics, ({ query }) => readStatistics(db, query, now()));
  implement(app, contract.readOwnStatistics, ({ query, request }) =>
    readOwnStatistics(db, query, { caller: callerOf(request), now: now() }),
  );
}

type Query = { days: number; plugin_key?: string };

/**
 * Reads the daily statistics of all plugins or of one until today, some seconds old. They are aggregated in the background.
 * @param now milliseconds since 1970
 * @throws PLUGIN_NOT_FOUND
 */
async function readStatistics(
  db: Db,
  { days, plugin_key: pluginKey }: Query,
  now: number,
): Promise<Statistics> {
  const span = { lastDay: utcDay(now), days };
  if (pluginKey === undefined) {
    const [figures, totals] = await Promise.all([readDailyStatistics(db, ALL_PLUGINS, span), siteTotals(db)]);
    return { plugin_key: null, days: figures, totals };
  }
  const plugin = await findPlugin(db, pluginKey);
  const totals = plugin && (await readPluginTotals(db, plugin.id));
  if (!plugin || !totals) throw appError('PLUGIN_NOT_FOUND');
  const figures = await readDailyStatistics(db, plugin.id, span);
  return { plugin_key: pluginKey, days: figures, totals: { ...totals, plugins: plugin.is_visible ? 1 : 0 } };
}

async function siteTotals(db: Db): Promise<Statistics['totals']> {
  const [totals, plugins] = await Promise.all([
    readTotals(db, ['installs', 'likes', 'views', 'submission 1', 'report open']),
    countVisible(db),
  ]);
  const { installs, likes, views } = totals;
  return {
    installs,
    likes,
    views,
    plugins,
    waiting: totals['submission 1'],
    open_reports: totals['report open'],
  };
}

/**
 * Reads the daily statistics of the caller's plugins, or of one plugin, with the sums of the same number of days before for
 * comparison; some seconds old.
 * @param now milliseconds since 1970
 * @throws PLUGIN_NOT_FOUND; FORBIDDEN for another publisher's plugin, except for administrators
 */
export async function readOwnStatistics(
  db: Db,
  { days, plugin_key: pluginKey }: Query,
  { caller, now }: { caller: Caller; now: number },
): Promise<OwnStatistics> {
  const scope =
    pluginKey === undefined
      ? { publisherId: caller.user_id }
      : { pluginId: (await findEditablePlugin(db, pluginKey, caller)).id };
  const [all, totals] = await Promise.all([
    readOwnDays(db, scope, { lastDay: utcDay(now), days: 2 * days }),
    readOwnTotals(db, scope),
  ]);
  const before = { views: 0, installs: 0, uninstalls: 0, downloads: 0, likes: 0 };
  for (const { views, installs, uninstalls, downloads, likes } of all.slice(0, days)) {
    before.views += views;
    before.installs += installs;
    before.uninstalls += uninstalls;
    before.downloads += downloads;
    before.likes += likes;
  }
  return { plugin_key: pluginKey ?? null, days: withActive(all).slice(days), before, totals };
}

/** Active installs are a level: what was counted last stays until the next count. */
function withActive(all: readonly OwnDay[]): OwnStatistics['days'] {
  let last = 0;
  return all.map(({ active, ...day }) => {
    last = active ?? last;
    return { ...day, active: last };
  });
}

function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
