import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DOCS_PATH } from '../../../../shared/constants.ts';
import { packageSchema } from '../../../../shared/package/package-schema.ts';
import { developerDocsRoutes } from '../../../../shared/routes/developer-docs.ts';
import { type Guard, implement } from '../../../http/implement.ts';
import type { ChooseLanguage } from '../../language.ts';
import type { DeveloperDocsIn } from './texts.ts';

const everybody: Guard = async () => undefined;
const SAMPLE = new URL('sample.json', import.meta.url);

/** The documentation for developers, and its files: a package that passes every check, and the JSON Schema of one. */
export function registerDeveloperDocs(
  app: FastifyInstance,
  {
    developerDocsIn,
    chooseLanguage,
    publicUrl,
  }: { developerDocsIn: DeveloperDocsIn; chooseLanguage: ChooseLanguage; publicUrl: URL },
): void {
  implement(app, everybody, developerDocsRoutes.readDeveloperDocs, ({ request, reply }) => {
    reply.header('cache-control', 'no-cache');
    return developerDocsIn(chooseLanguage(request));
  });
  const file = (name: string, type: string, content: () => Promise<string>): void => {
    app.get(DOCS_PATH + name, async (_request: FastifyRequest, reply: FastifyReply) =>
      reply
        .headers({
          'cache-control': 'public, max-age=3600',
          'content-disposition': `attachment; filename="${name}"`,
        })
        .type(`${type}; charset=utf-8`)
        .send(await content()),
    );
  };
  file('sample.json', 'application/json', () => readFile(SAMPLE, 'utf8'));
  const schemaName = 'plugin-package.schema.json';
  const $id = new URL(DOCS_PATH + schemaName, publicUrl).href;
  file(schemaName, 'application/schema+json', async () =>
    JSON.stringify({ ...packageSchema(), $id }, null, 2),
  );
}
