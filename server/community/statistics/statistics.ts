import type { Statistics } from '../../../shared/entities/backstage.ts';
import { appError } from '../../http/errors.ts';
import { findPlugin } from '../plugins/detail/store.ts';
import type { Db } from '../schema.ts';
import { readTotals } from '../tally/store.ts';
import { ALL_PLUGINS, countVisible, readDayFigures, readPluginTotals } from './store.ts';

/**
 * Figures per day until today, of all plugins or of one; some seconds old. Nothing is counted here: days are added up
 * as things happen.
 * @param now milliseconds since 1970
 * @throws PLUGIN_NOT_FOUND
 */
export async function readStatistics(
  db: Db,
  { days, plugin_key: pluginKey }: { days: number; plugin_key?: string },
  now: number,
): Promise<Statistics> {
  const span = { lastDay: new Date(now).toISOString().slice(0, 10), days };
  if (pluginKey === undefined) {
    const [figures, totals] = await Promise.all([readDayFigures(db, ALL_PLUGINS, span), siteTotals(db)]);
    return { plugin_key: null, days: figures, totals };
  }
  const plugin = await findPlugin(db, pluginKey);
  const totals = plugin && (await readPluginTotals(db, plugin.id));
  if (!plugin || !totals) throw appError('PLUGIN_NOT_FOUND');
  const figures = await readDayFigures(db, plugin.id, span);
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
