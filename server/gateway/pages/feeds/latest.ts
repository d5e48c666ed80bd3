import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ALL_TAG_ID, BASE_PATH, LATEST_FEED_PATH, SORT_LATEST } from '../../../../shared/constants.ts';
import type { Language } from '../../../../shared/languages.ts';
import { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { appError } from '../../../http/errors.ts';
import { gatewayTexts } from '../../texts.ts';
import type { AtomEntry } from './atom.ts';
import { FEED_ENTRIES, readAnswer } from './read-answer.ts';
import { sendFeed } from './send-feed.ts';

/** What a feed tells of a plugin: less than the contract, so that any service can have one. */
export const FeedCard = Type.Object({
  plugin_key: Type.String({ minLength: 1 }),
  name: Type.String(),
  intro: Type.String(),
  version: Type.String(),
  updated_at: Type.String({ minLength: 1 }),
  publisher: Type.Object({ nick_name: Type.String() }),
});
type FeedCard = Static<typeof FeedCard>;
const plugins = Compile(Type.Object({ data: Type.Object({ plugin_list: Type.Array(FeedCard) }) }));
const tags = Compile(Type.Object({ data: pluginRoutes.listTags.data }));

const Query = Type.Object({
  tag_id: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: ALL_TAG_ID }),
});

/** The latest plugins, also of one tag: each version that is published is an entry. */
export async function latestFeed(app: FastifyInstance): Promise<void> {
  app.get<{ Querystring: Static<typeof Query> }>(
    LATEST_FEED_PATH,
    { schema: { querystring: Query } },
    (request, reply) => {
      const { language } = request;
      const { tag_id: tagId } = request.query;
      const { home } = gatewayTexts(language);
      const query = tagId === ALL_TAG_ID ? '' : `?tag_id=${tagId}`;
      return sendFeed(app, request, reply, {
        path: LATEST_FEED_PATH + query,
        load: async () => {
          const [{ data }, tag] = await Promise.all([
            readAnswer(app, language, {
              path: `${pluginRoutes.listPlugins.path}?sort=${SORT_LATEST}&tag_id=${tagId}&limit=${FEED_ENTRIES}`,
              answer: plugins,
            }),
            tagId === ALL_TAG_ID ? undefined : nameOfTag(app, language, tagId),
          ]);
          const title = home.feed_title ?? '';
          return {
            id: `latest${query}`,
            title: tag === undefined ? title : `${title}: ${tag}`,
            page: BASE_PATH + query,
            entries: data.plugin_list.map(entryOf),
          };
        },
      });
    },
  );
}

/** @throws AppError NOT_FOUND for no tag of the catalogue */
async function nameOfTag(app: FastifyInstance, language: Language, tagId: number): Promise<string> {
  const { path } = pluginRoutes.listTags;
  const { data } = await readAnswer(app, language, { path, answer: tags });
  const tag = data.tag_list.find(({ id }) => id === tagId);
  if (!tag) throw appError('NOT_FOUND');
  return tag.name;
}

export function entryOf({ plugin_key, name, version, intro, updated_at, publisher }: FeedCard): AtomEntry {
  return {
    id: `plugin/${plugin_key}/${version}`,
    title: `${name} ${version}`,
    updated: updated_at,
    page: `${BASE_PATH}plugin/${encodeURIComponent(plugin_key)}`,
    author: publisher.nick_name,
    content: intro,
  };
}
