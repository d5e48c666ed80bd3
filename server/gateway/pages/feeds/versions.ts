import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BASE_PATH, VERSIONS_FEED_FILE } from '../../../../shared/constants.ts';
import { PluginKey } from '../../../../shared/entities/base.ts';
import { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { gatewayTexts } from '../../texts.ts';
import { FEED_ENTRIES, readAnswer } from './read-answer.ts';
import { sendFeed } from './send-feed.ts';

const plugin = Compile(Type.Object({ data: Type.Object({ name: Type.String() }) }));
const Version = Type.Object({
  version: Type.String({ minLength: 1 }),
  note: Type.String(),
  created_at: Type.String({ minLength: 1 }),
});
const versions = Compile(Type.Object({ data: Type.Object({ version_list: Type.Array(Version) }) }));

const Parameters = Type.Object({ plugin_key: PluginKey });

/** The versions of a plugin. */
export async function versionsFeed(app: FastifyInstance): Promise<void> {
  app.get<{ Params: Static<typeof Parameters> }>(
    `${BASE_PATH}plugin/:plugin_key/${VERSIONS_FEED_FILE}`,
    { schema: { params: Parameters } },
    (request, reply) => {
      const { language, params } = request;
      const key = encodeURIComponent(params.plugin_key);
      const page = `${BASE_PATH}plugin/${key}`;
      return sendFeed(app, request, reply, {
        path: `${page}/${VERSIONS_FEED_FILE}`,
        load: async () => {
          const query = `?plugin_key=${key}`;
          const [{ data: shown }, { data }] = await Promise.all([
            readAnswer(app, language, { path: pluginRoutes.readPlugin.path + query, answer: plugin }),
            readAnswer(app, language, { path: pluginRoutes.listVersions.path + query, answer: versions }),
          ]);
          return {
            id: `plugin/${key}`,
            title: `${shown.name}: ${gatewayTexts(language).plugin.versions}`,
            page,
            entries: data.version_list.slice(0, FEED_ENTRIES).map(({ version, note, created_at }) => ({
              id: `plugin/${key}/${version}`,
              title: `${shown.name} ${version}`,
              updated: created_at,
              page,
              content: note,
            })),
          };
        },
      });
    },
  );
}
