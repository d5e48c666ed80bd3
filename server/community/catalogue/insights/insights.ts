import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { InsightTable } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Insights } from '../../../../shared/entities/insight.ts';
import { implement } from '../../../http/implement.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../people/audit-log/audit-log.ts';
import { callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { findEditablePlugin } from '../plugins/access.ts';
import { countInRounds } from '../rounds/rounds.ts';
import { deleteRareKeywords } from './keyword-store.ts';
import { insightRound } from './round.ts';
import {
  type Days,
  LINES,
  readActive,
  readCohorts,
  readFirstDay,
  readKeywords,
  readSources,
  readVersions,
} from './store.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Days that are read at once, so that memory stays constant however long a plugin has been there. */
const SPAN = 365;

/** The columns of each table. */
const HEADS: Readonly<Record<InsightTable, readonly string[]>> = {
  days: ['day', 'views', 'installs', 'uninstalls', 'downloads', 'likes', 'active_installs'],
  sources: ['day', 'source', 'views', 'installs'],
  keywords: ['month', 'keyword', 'people'],
  versions: ['day', 'version', 'active_installs', 'uninstalls'],
  retention: ['week', 'installs', 'kept_1_week', 'kept_2_weeks', 'kept_4_weeks', 'kept_8_weeks'],
};

/** How a plugin is found and used, for its publisher; counted while the app listens. */
export function insightsRoutes(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db, clock: now } = app;
  implement(app, contract.readInsights, async ({ query, request }) => {
    const { id } = await findEditablePlugin(db, query.plugin_key, callerOf(request));
    const days = { from: dayOf(now() - (query.days - 1) * DAY), until: dayOf(now()) };
    return { plugin_key: query.plugin_key, ...(await readAll(db, id, days)) };
  });
  implement(app, contract.exportStatistics, async ({ query, request, reply }) => {
    const { plugin_key: key, table, from = '', until = '' } = query;
    const { id } = await findEditablePlugin(db, key, callerOf(request));
    const today = dayOf(now());
    const asked = { from, until: until === '' || until > today ? today : until };
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${key}-${table}.csv"`)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(statisticsCsv(db, { pluginId: id, table }, asked)));
    return undefined;
  });
  countInRounds(app, insightRound(app.community.updates), {
    log,
    failed: 'counting active installs failed',
    recovered: 'active installs are counted again',
  });
  repeatWhileListening(app, {
    every: HOUR,
    log,
    failed: 'deleting rare keywords failed',
    recovered: 'rare keywords are deleted again',
    async run() {
      await deleteRareKeywords(db, new Date(now()));
      return undefined;
    },
  });
}

async function readAll(db: Db, pluginId: number, days: Days): Promise<Omit<Insights, 'plugin_key'>> {
  const [active_count, source_list, keyword_list, version_list, cohort_list] = await Promise.all([
    readActive(db, pluginId),
    readSources(db, pluginId, days),
    readKeywords(db, pluginId, days),
    readVersions(db, pluginId, days),
    readCohorts(db, pluginId),
  ]);
  return { active_count, source_list, keyword_list, version_list, cohort_list };
}

/** A table of a plugin, oldest line first, read in parts as the client consumes it. */
export async function* statisticsCsv(
  db: Db,
  { pluginId, table }: { pluginId: number; table: InsightTable },
  { from, until }: Days,
): AsyncGenerator<string> {
  const head = HEADS[table];
  yield BYTE_ORDER_MARK + csvLine(head);
  const first = await readFirstDay(db, pluginId);
  if (first === undefined) return;
  let start = from > first ? from : first;
  while (start <= until) {
    const next = dayOf(Date.parse(start) + SPAN * DAY);
    const end = dayOf(Date.parse(next) - DAY);
    const lines = await LINES[table](db, pluginId, { from: start, until: end < until ? end : until });
    if (lines.length > 0)
      yield lines.map((line) => csvLine(head.map((name) => String(line[name] ?? '')))).join('');
    start = next;
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
