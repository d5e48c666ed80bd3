import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BASE_PATH, PUBLISHER_FEED_PATH, PUBLISHER_PATH } from '../../../../shared/constants.ts';
import { Id } from '../../../../shared/entities/base.ts';
import { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { gatewayTexts } from '../../texts.ts';
import { entryOf, FeedCard } from './latest.ts';
import { readAnswer } from './read-answer.ts';
import { sendFeed } from './send-feed.ts';

const news = Compile(
  Type.Object({
    data: Type.Object({
      publisher: Type.Object({ nick_name: Type.String(), handle: Type.Optional(Type.String()) }),
      plugin_list: Type.Array(FeedCard),
    }),
  }),
);

const Query = Type.Object({ publisher_id: Id });

/** The latest plugins of a publisher: each version that is published is an entry. */
export async function publisherFeed(app: FastifyInstance): Promise<void> {
  app.get<{ Querystring: Static<typeof Query> }>(
    PUBLISHER_FEED_PATH,
    { schema: { querystring: Query } },
    (request, reply) => {
      const { language } = request;
      const query = `?publisher_id=${request.query.publisher_id}`;
      return sendFeed(app, request, reply, {
        path: PUBLISHER_FEED_PATH + query,
        load: async () => {
          const { data } = await readAnswer(app, language, {
            path: pluginRoutes.readPublisherNews.path + query,
            answer: news,
          });
          const { handle } = data.publisher;
          return {
            id: `publisher${query}`,
            title: `${data.publisher.nick_name}: ${gatewayTexts(language).home.feed_title ?? ''}`,
            page: handle === undefined ? BASE_PATH : PUBLISHER_PATH + encodeURIComponent(handle),
            entries: data.plugin_list.map(entryOf),
          };
        },
      });
    },
  );
}
