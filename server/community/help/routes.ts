import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import type { Language } from '../../../shared/languages.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { implement } from '../../http/implement.ts';
import { putInOrder } from '../catalogue/ordering.ts';
import { implementForm } from '../files/forms/implement-form.ts';
import { ONE_PICTURE, type Pictures, storeUploadedPicture } from '../files/media/pictures.ts';
import { insertPictures } from '../files/media/store.ts';
import { languageOf } from '../language.ts';
import { callerOf } from '../people/auth/caller.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import {
  createArticleReader,
  deleteArticle,
  listArticles,
  listManagedArticles,
  readManagedArticle,
  saveArticle,
} from './articles.ts';
import { deleteCategory, listCategories, saveCategory } from './categories.ts';
import { searchArticles } from './search.ts';
import { readCategoryRows } from './store.ts';
import { openTexts, type Texts } from './texts.ts';

type Dependencies = { db: Db; pictures: Pictures; dataDir: string; texts: Texts };

/** The help center: reading and administration of articles. */
export function helpCenterRoutes(app: FastifyInstance): void {
  const { db, pictures, dataDir } = app;
  const { pictureOrigins, onLateFailure } = app.community;
  const texts = openTexts({ db, pictureOrigins, onLateFailure });
  app.addHook('onClose', () => texts.close());
  const dependencies = { db, pictures, dataDir, texts };
  readerRoutes(app, dependencies);
  articleRoutes(app, dependencies);
  categoryRoutes(app, dependencies);
}

const languageFor = ({ language }: { language?: Language }, request: FastifyRequest): Language =>
  language ?? languageOf(request);

function readerRoutes(app: FastifyInstance, { db, texts }: Dependencies): void {
  const readArticle = createArticleReader(db, texts);
  implement(app, contract.readHelpCaller, ({ request }) => {
    const { user_id, role, nick_name, avatar_url } = callerOf(request);
    return { user_id, role, nick_name, avatar_url };
  });
  implement(app, contract.listHelpCategories, async ({ query, request }) => ({
    category_list: await listCategories(db, languageFor(query, request)),
  }));
  implement(app, contract.listHelpArticles, async ({ query, request }) => ({
    article_list: await listArticles(db, languageFor(query, request)),
  }));
  implement(app, contract.searchHelpArticles, async ({ query, request }) => ({
    article_list: await searchArticles(db, texts, {
      keyword: query.keyword,
      language: languageFor(query, request),
    }),
  }));
  implement(app, contract.readHelpArticle, ({ params, query, request }) =>
    readArticle(params.id, languageFor(query, request)),
  );
}

function articleRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { db, pictures, dataDir, texts } = dependencies;
  implementForm(
    app,
    contract.uploadHelpPicture,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ files, request, signal }) => {
      const turn = { userId: callerOf(request).user_id, signal };
      const picture = await storeUploadedPicture(pictures, files.picture[0], turn);
      if (!picture) throw refusedAt('/picture', 'must not be missing');
      await insertPictures(db, [picture]);
      const { key, width, height, widths } = picture;
      return { key, width, height, url: pictureUrl(key, Math.max(...widths)) };
    },
  );
  implement(app, contract.listManagedArticles, async () => ({
    article_list: await listManagedArticles(db),
  }));
  implement(app, contract.readManagedArticle, ({ params }) => readManagedArticle(db, params.id));
  implement(app, contract.addHelpArticle, ({ body, request }) =>
    saveArticle(db, body, { caller: callerOf(request), texts }),
  );
  implement(app, contract.changeHelpArticle, ({ body, request }) =>
    saveArticle(db, body, { caller: callerOf(request), texts }),
  );
  implement(app, contract.deleteHelpArticle, async ({ body, request }) => {
    await deleteArticle(db, body.id, callerOf(request));
    return {};
  });
  implement(app, contract.orderHelpArticles, async ({ body, request }) => {
    await putInOrder(db, 'help_article', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
  implement(app, contract.previewHelpArticle, async ({ body: { body } }) => ({
    blocks: (await texts.read(body, '/body')).blocks,
  }));
}

function categoryRoutes(app: FastifyInstance, { db }: Dependencies): void {
  implement(app, contract.listManagedCategories, async () => ({
    category_list: await readCategoryRows(db),
  }));
  implement(app, contract.addHelpCategory, ({ body, request }) => saveCategory(db, body, callerOf(request)));
  implement(app, contract.changeHelpCategory, ({ body, request }) =>
    saveCategory(db, body, callerOf(request)),
  );
  implement(app, contract.deleteHelpCategory, async ({ body, request }) => {
    await deleteCategory(db, body.id, callerOf(request));
    return {};
  });
  implement(app, contract.orderHelpCategories, async ({ body, request }) => {
    await putInOrder(db, 'help_category', { ids: body.ids, caller: callerOf(request) });
    return {};
  });
}
