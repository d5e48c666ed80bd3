import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { REMOVED_FEED_PATH, REMOVED_PATH } from '../../../../shared/constants.ts';
import { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { gatewayTexts } from '../../texts.ts';
import type { AtomEntry } from './atom.ts';
import { FEED_ENTRIES, readAnswer } from './read-answer.ts';
import { sendFeed } from './send-feed.ts';

const Answer = Type.Object({ data: pluginRoutes.listRemoved.data });
const answer = Compile(Answer);
type Removed = Static<typeof Answer>['data']['removed_list'][number];

/** The latest removed plugins. */
export async function removedFeed(app: FastifyInstance): Promise<void> {
  app.get(REMOVED_FEED_PATH, (request, reply) => {
    const { removed: t } = gatewayTexts(request.language);
    return sendFeed(app, request, reply, {
      path: REMOVED_FEED_PATH,
      load: async () => {
        const { data } = await readAnswer(app, request.language, {
          path: `${pluginRoutes.listRemoved.path}?limit=${FEED_ENTRIES}`,
          answer,
        });
        return {
          id: 'removed',
          title: t.title ?? '',
          subtitle: t.lead ?? '',
          page: REMOVED_PATH,
          entries: data.removed_list.map((removed) => entryOf(removed, t)),
        };
      },
    });
  });
}

function entryOf(removed: Removed, t: Record<string, string>): AtomEntry {
  const { id, name, version, reason, text, must_stop, withdrawn_at } = removed;
  const versionText = version === null ? '' : ` ${version}`;
  const advice = t[must_stop ? 'must_stop_text' : 'may_keep_text'] ?? '';
  return {
    id: `removed/${id}`,
    title: `${name}${versionText}: ${t[`reason_${reason}`] ?? reason}`,
    updated: withdrawn_at,
    page: `${REMOVED_PATH}#removed-${id}`,
    category: reason,
    content: `${text}\n\n${advice}`,
  };
}
