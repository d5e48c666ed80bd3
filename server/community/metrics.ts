import type { FastifyInstance } from 'fastify';
import { Counter, Registry } from 'prom-client';
import { contract } from '../../shared/contract.ts';
import { ERRORS } from '../../shared/errors.ts';

export type CommunityMetrics = ReturnType<typeof createCommunityMetrics>;

/** What publishers and reviewers do. Label values come from fixed lists. */
export function createCommunityMetrics(registry: Registry = new Registry()) {
  const registers = [registry];
  const published = new Counter({
    name: 'community_publish_total',
    help: 'Submissions of plugins, versions and changes, without dry runs',
    labelNames: ['outcome'],
    registers,
  });
  const decided = new Counter({
    name: 'community_review_decisions_total',
    help: 'Decisions about submissions',
    labelNames: ['decision'],
    registers,
  });
  for (const outcome of ['accepted', 'refused', 'failed']) published.inc({ outcome }, 0);
  for (const decision of ['approved', 'rejected']) decided.inc({ decision }, 0);
  return {
    countPublished: (outcome: 'accepted' | 'refused' | 'failed') => published.inc({ outcome }),
    countDecided: (decision: 'approved' | 'rejected') => decided.inc({ decision }),
  };
}

/** The calls that submit a plugin or a change, for each of which there is one answer. */
const PUBLISHING: ReadonlySet<string> = new Set(
  [contract.publishPlugin, contract.updatePlugin].map(({ method, path }) => `${method} ${path}`),
);

/** Counts the answers to publishers, also to forms that no handler sees. */
export function countAnswers(app: FastifyInstance, metrics: CommunityMetrics): void {
  app.addHook('onResponse', async ({ method, routeOptions, query }, { statusCode }) => {
    if (!PUBLISHING.has(`${method} ${routeOptions.url}`) || statusCode === ERRORS.UNAUTHENTICATED.status)
      return;
    if (Number(Object(query).dry_run) === 1) return;
    metrics.countPublished(statusCode < 400 ? 'accepted' : statusCode < 500 ? 'refused' : 'failed');
  });
}
