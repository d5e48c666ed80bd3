import type { FastifyInstance } from 'fastify';
import { measureQueues } from '../../http/gauges.ts';
import { mediaRoutes } from '../files/media/routes.ts';
import { changesRoutes } from './changes/changes.ts';
import { flushRegularly } from './counters/flush.ts';
import { statisticsRoutes } from './counters/statistics.ts';
import { createViewCounter, viewsRoutes } from './counters/views.ts';
import { deprecationRoutes } from './deprecation/deprecation.ts';
import { historyRoutes } from './history/history.ts';
import { insightsRoutes } from './insights/insights.ts';
import { createFoundKeywords } from './insights/keywords.ts';
import { readNamesRegularly } from './japanese/reading.ts';
import { marksRoutes } from './marks/marks.ts';
import { createMissedSearches, missedSearchesRoutes } from './missed-searches/missed.ts';
import { pluginsRoutes } from './plugins/plugins.ts';
import { publishersRoutes } from './publishers/publishers.ts';
import { countPending } from './search/index-store.ts';
import { similarRoutes } from './similar/similar.ts';
import { suggestionsRoutes } from './suggestions/suggestions.ts';
import { tagPageRoutes } from './tags/tag-page.ts';
import { tagsRoutes } from './tags/tags.ts';
import { watchTags } from './tags/watch.ts';
import { startTelling } from './telling/telling.ts';
import { transparencyRoutes } from './transparency/routes.ts';
import { trendsRoutes } from './trends/trends.ts';
import { verificationRoutes } from './verification/verification.ts';
import { versionsRoutes } from './versions/versions.ts';
import { proposalRoutes } from './withdrawal/proposals.ts';
import { publisherWithdrawalRoutes } from './withdrawal/publisher.ts';
import { removedRoutes } from './withdrawal/removed.ts';
import { withdrawalRoutes } from './withdrawal/withdrawal.ts';
import { openWithheldFiles } from './withdrawal/withheld-files.ts';

/**
 * What there is and who may see it. `plugins` are lists, details and cards; `publishers` their pages and profiles,
 * `publisher-names` find them and who looks like a verified one; `verification` the domains that they prove; `versions` their
 * packages, `installations` what of them a person has; `submissions` what publishers sent in; `tags`, `marks`, `search` and
 * `suggestions` find them, `japanese` reads their names, `missed-searches` what was not found; `similar` plugins are those
 * that the same people have, `trends` what is wanted now, both counted in `rounds`; `history` tells what changed in a listing;
 * `counters` count views, likes and installs; `insights` tell a publisher where these came from, and who stays; `withdrawal`
 * takes a plugin or a version from everybody, its pictures too; `deprecation` says that one is no longer maintained, `telling`
 * tells who has installed it of both, and followers of what is new; `transparency` signs approvals and keeps their log;
 * `changes` tell tools what is new.
 */
export async function catalogue(app: FastifyInstance): Promise<void> {
  const { db, clock: now, log } = app;
  const { key, perf, registry, onTags, japanese, readsNames } = app.community;
  const views = createViewCounter({ key, now });
  const keywords = createFoundKeywords({ key, now });
  const missed = createMissedSearches();
  pluginsRoutes(app, missed);
  missedSearchesRoutes(app, missed);
  publishersRoutes(app);
  verificationRoutes(app, log);
  versionsRoutes(app);
  historyRoutes(app);
  similarRoutes(app, log);
  trendsRoutes(app, log);
  suggestionsRoutes(app);
  tagsRoutes(app);
  tagPageRoutes(app);
  marksRoutes(app);
  withdrawalRoutes(app);
  transparencyRoutes(app);
  changesRoutes(app);
  publisherWithdrawalRoutes(app);
  proposalRoutes(app);
  removedRoutes(app);
  deprecationRoutes(app);
  if (app.community.tellsInstallers) startTelling(app, log);
  mediaRoutes(app, openWithheldFiles(db, { ...(perf && { perf }) }));
  viewsRoutes(app, { views, keywords });
  statisticsRoutes(app);
  insightsRoutes(app, log);
  flushRegularly(app, { db, views, keywords, now, log });
  app.addHook('onClose', () => japanese.close());
  if (readsNames) readNamesRegularly(app);
  watchTags(app, { db, log, onTags });
  measureQueues(app, { registry, log }, [
    {
      name: 'community_search_pending',
      help: 'Plugins and submissions that the search index waits for',
      count: () => countPending(db),
    },
  ]);
}
