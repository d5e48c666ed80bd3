import { Type } from 'typebox';
import { HELP_LIMITS, TEXT_LIMITS } from '../constants.ts';
import { FileKey, Id, LanguageName, Nothing, Nullable, TextsSchema, Timestamp } from '../entities/base.ts';
import {
  EditedArticle,
  HelpArticle,
  HelpCategory,
  HelpEntry,
  HelpHit,
  ManagedArticle,
  ManagedCategory,
} from '../entities/help.ts';
import { TextBlock } from '../entities/text-blocks.ts';
import { Role } from '../entities/user.ts';
import { route } from '../route.ts';

const InLanguage = Type.Object({ language: Type.Optional(LanguageName) });
const Order = Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: HELP_LIMITS.articles }) });
/** Longest texts of all languages, with four bytes per character. */
const ARTICLE_BYTES = 512 * 1024;

const ArticleChange = {
  category_id: Type.Optional(Nullable(Id)),
  title: Type.Optional(TextsSchema(HELP_LIMITS.title)),
  body: Type.Optional(TextsSchema(HELP_LIMITS.body)),
  default_lang: Type.Optional(LanguageName),
  is_published: Type.Optional(Type.Boolean()),
};

/**
 * The help center (R 10.15). The gateway proxies everything below /api/helpcenter/ and
 * rewrites calls of the administration to the manager variant; these routes are those of our own service.
 */
export const helpRoutes = {
  readHelpCaller: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/user/admininfo',
    access: 'user',
    summary: 'The caller in the help center: role, name, picture',
    data: Type.Object({
      user_id: Type.Integer(),
      role: Role,
      nick_name: Type.String(),
      avatar_url: Type.String(),
    }),
  }),
  uploadHelpPicture: route({
    service: 'community',
    method: 'POST',
    path: '/api/helpcenter/upload/picture',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Upload a picture for an article; file part `picture`. An unused picture is deleted after a day',
    body: Type.Object({}),
    data: Type.Object({
      key: FileKey,
      /** Address for Markdown: `![…](url)`. */
      url: Type.String(),
      width: Type.Integer(),
      height: Type.Integer(),
    }),
  }),
  listHelpCategories: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/category/list',
    access: 'all',
    cache: 5,
    summary: 'Categories with published articles, in their order',
    query: InLanguage,
    data: Type.Object({ category_list: Type.Array(HelpCategory) }),
  }),
  listHelpArticles: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/article/list',
    access: 'all',
    cache: 5,
    compress: true,
    summary: 'Published articles in their order, each in the requested language or the closest available one',
    query: InLanguage,
    data: Type.Object({ article_list: Type.Array(HelpEntry) }),
  }),
  searchHelpArticles: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/article/search',
    access: 'all',
    cache: 5,
    summary: 'Published articles with all words of a keyword in any of their languages; 50 at most',
    query: Type.Object({
      keyword: Type.String({ maxLength: TEXT_LIMITS.keyword }),
      ...InLanguage.properties,
    }),
    data: Type.Object({ article_list: Type.Array(HelpHit) }),
  }),
  readHelpArticle: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/article/{id}',
    access: 'all',
    cache: 5,
    summary: 'A published article',
    params: Type.Object({ id: Id }),
    query: InLanguage,
    data: HelpArticle,
  }),
  listManagedCategories: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/manager/category/list',
    access: 'admin',
    summary: 'All categories of the help center',
    data: Type.Object({ category_list: Type.Array(ManagedCategory) }),
  }),
  addHelpCategory: route({
    service: 'community',
    method: 'POST',
    path: '/api/helpcenter/manager/category',
    access: 'admin',
    summary: 'Add a category after the others',
    body: Type.Object({ name: TextsSchema(HELP_LIMITS.name), default_lang: LanguageName }),
    data: ManagedCategory,
  }),
  changeHelpCategory: route({
    service: 'community',
    method: 'PUT',
    path: '/api/helpcenter/manager/category',
    access: 'admin',
    summary: 'Rename a category',
    body: Type.Object({ id: Id, name: TextsSchema(HELP_LIMITS.name), default_lang: LanguageName }),
    data: ManagedCategory,
  }),
  deleteHelpCategory: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/helpcenter/manager/category',
    access: 'admin',
    summary: 'Delete a category; its articles stay without a category',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  orderHelpCategories: route({
    service: 'community',
    method: 'PUT',
    path: '/api/helpcenter/manager/category/order',
    access: 'admin',
    summary: 'Reorder categories within their current positions',
    body: Order,
    data: Nothing,
  }),
  listManagedArticles: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/manager/article/list',
    access: 'admin',
    summary: 'All articles, including drafts',
    data: Type.Object({ article_list: Type.Array(ManagedArticle) }),
  }),
  readManagedArticle: route({
    service: 'community',
    method: 'GET',
    path: '/api/helpcenter/manager/article/{id}',
    access: 'admin',
    summary: 'An article or draft with its Markdown in all languages',
    params: Type.Object({ id: Id }),
    data: EditedArticle,
  }),
  addHelpArticle: route({
    service: 'community',
    method: 'POST',
    path: '/api/helpcenter/manager/article',
    access: 'admin',
    bodyBytes: ARTICLE_BYTES,
    summary: 'Add an article; a draft unless `is_published`',
    body: Type.Object({
      ...ArticleChange,
      title: TextsSchema(HELP_LIMITS.title),
      default_lang: LanguageName,
    }),
    data: EditedArticle,
  }),
  changeHelpArticle: route({
    service: 'community',
    method: 'PUT',
    path: '/api/helpcenter/manager/article',
    access: 'admin',
    bodyBytes: ARTICLE_BYTES,
    summary: 'Change the given fields of an article. CONFLICT if it is newer than `updated_at`',
    body: Type.Object({ id: Id, updated_at: Type.Optional(Timestamp), ...ArticleChange }),
    data: EditedArticle,
  }),
  deleteHelpArticle: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/helpcenter/manager/article',
    access: 'admin',
    summary: 'Delete an article',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  orderHelpArticles: route({
    service: 'community',
    method: 'PUT',
    path: '/api/helpcenter/manager/article/order',
    access: 'admin',
    summary: 'Reorder articles within their current positions',
    body: Order,
    data: Nothing,
  }),
  previewHelpArticle: route({
    service: 'community',
    method: 'POST',
    path: '/api/helpcenter/manager/article/preview',
    access: 'admin',
    summary: 'Preview of a Markdown text',
    body: Type.Object({ body: Type.String({ maxLength: HELP_LIMITS.body }) }),
    data: Type.Object({ blocks: Type.Array(TextBlock) }),
  }),
};
