import type { FastifyInstance } from 'fastify';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { type Guard, implement, WRITTEN } from '../../http/implement.ts';
import { openApiDocument } from './openapi.ts';
import { DOCS_POLICY, docsPage } from './page.ts';

const everybody: Guard = async () => undefined;
const CACHE = 'public, max-age=300';

/** The contract for those who call it from elsewhere: a page, and an OpenAPI document. Both are made once, when first asked for. */
export function registerDocs(
  app: FastifyInstance,
  { publicUrl, version }: { publicUrl: URL; version: string },
): void {
  let page: string | undefined;
  let document: string | undefined;
  implement(app, everybody, docsRoutes.readApiDocs, ({ reply }) => {
    page ??= docsPage({ openApiPath: docsRoutes.readOpenApi.path, version });
    reply
      .headers({ 'cache-control': CACHE, 'content-security-policy': DOCS_POLICY })
      .type('text/html; charset=utf-8')
      .send(page);
    return WRITTEN;
  });
  implement(app, everybody, docsRoutes.readOpenApi, ({ reply }) => {
    document ??= JSON.stringify(openApiDocument({ publicUrl, version }));
    reply.header('cache-control', CACHE).type('application/json; charset=utf-8').send(document);
    return WRITTEN;
  });
}
