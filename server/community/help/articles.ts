import { LRUCache } from 'lru-cache';
import { HELP_LIMITS } from '../../../shared/constants.ts';
import type { EditedArticle, HelpArticle, HelpEntry, ManagedArticle } from '../../../shared/entities/help.ts';
import type { TextBlock } from '../../../shared/entities/text-blocks.ts';
import { LANGUAGES, type Language, type Texts, textIn } from '../../../shared/languages.ts';
import type { BodyOf } from '../../../shared/route.ts';
import type { helpRoutes } from '../../../shared/routes/help.ts';
import { appError } from '../../http/errors.ts';
import { lockOrdered } from '../catalogue/ordering.ts';
import { writeAuditLog } from '../people/audit-log/store.ts';
import type { Caller } from '../people/auth/caller.ts';
import { upsertUser } from '../people/users.ts';
import { plainTexts, refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { indexArticle } from './search.ts';
import {
  type ArticleContent,
  type ArticleRow,
  countHelp,
  deleteHelp,
  insertArticle,
  linkPictures,
  readArticleRow,
  readArticleRows,
  readCategoryRow,
  updateArticle,
  type WholeArticleRow,
} from './store.ts';
import { type Texts as ArticleTexts, picturesIn } from './texts.ts';

type Change = Omit<BodyOf<(typeof helpRoutes)['changeHelpArticle']>, 'id'>;

/** Bytes of Markdown whose blocks are cached. */
const CACHE_BYTES = 1024 * 1024;

const NEW: ArticleContent = {
  category_id: null,
  title: {},
  body: {},
  default_lang: 'en-US',
  is_published: false,
};

/** Lists the titles of published articles in a language, or in the best available one. */
export async function listArticles(db: Db, language: Language): Promise<HelpEntry[]> {
  const rows = await readArticleRows(db, { published: true });
  return rows.map(({ id, category_id, title, default_lang, written, updated_at }) => {
    const readable = pickLanguages(title, written);
    const { text, lang } = textIn(readable, language, default_lang);
    return { id, category_id, title: text, lang, updated_at: updated_at.toISOString() };
  });
}

/** Creates a reader of published articles, which caches their blocks until an article changes. */
export function createArticleReader(db: Db, texts: ArticleTexts) {
  const cache = new LRUCache<string, TextBlock[], { text: string; pointer: string }>({
    maxSize: CACHE_BYTES,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context }) =>
      (await texts.read(context.text, context.pointer)).blocks,
  });
  /** @throws ARTICLE_NOT_FOUND, also for a draft */
  return async (id: number, language: Language): Promise<HelpArticle> => {
    const row = await readArticleRow(db, id);
    if (!row?.is_published) throw appError('ARTICLE_NOT_FOUND');
    const { category_id, default_lang, updated_at } = row;
    const { text, lang } = textIn(pickLanguages(row.body, writtenIn(row)), language, default_lang);
    const blocks = await cache.forceFetch(`${id} ${updated_at.getTime()} ${lang}`, {
      context: { text, pointer: `/body/${lang}` },
      size: Buffer.byteLength(text) + 1,
    });
    return {
      id,
      category_id,
      title: row.title[lang] ?? '',
      lang,
      updated_at: updated_at.toISOString(),
      blocks,
    };
  };
}

export async function listManagedArticles(db: Db): Promise<ManagedArticle[]> {
  return (await readArticleRows(db, { published: false })).map(toManaged);
}

/** @throws ARTICLE_NOT_FOUND */
export async function readManagedArticle(db: Db, id: number): Promise<EditedArticle> {
  const row = await readArticleRow(db, id);
  if (!row) throw appError('ARTICLE_NOT_FOUND');
  return toEdited(row);
}

/**
 * Adds an article, or changes the given fields of the article with this id.
 * @throws VALIDATION_FAILED, ARTICLE_NOT_FOUND, HELP_LIMIT_REACHED; CONFLICT if it was changed since `updated_at`
 */
export async function saveArticle(
  db: Db,
  { id, updated_at, ...change }: Change & { id?: number },
  { caller, texts }: { caller: Caller; texts: ArticleTexts },
): Promise<EditedArticle> {
  const body = change.body && plainTexts(change.body, '/body');
  for (const [language, text] of Object.entries(body ?? {})) await texts.check(text, `/body/${language}`);
  const row = await db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'help_article');
    const former = id === undefined ? undefined : await readArticleRow(trx, id);
    if (id !== undefined && !former) throw appError('ARTICLE_NOT_FOUND');
    if (former && updated_at !== undefined && former.updated_at.getTime() !== Date.parse(updated_at))
      throw appError('CONFLICT');
    if (!former && (await countHelp(trx, 'help_article')) >= HELP_LIMITS.articles)
      throw appError('HELP_LIMIT_REACHED');
    const content = await validateContent(trx, former ?? NEW, { ...change, ...(body && { body }) });
    const saved = former?.id ?? (await insertArticle(trx, content, caller.user_id));
    if (former) await updateArticle(trx, saved, content, caller.user_id);
    await linkPictures(trx, saved, picturesIn(Object.values(content.body)));
    await upsertUser(trx, caller);
    const row = await readArticleRow(trx, saved);
    if (!row) throw appError('ARTICLE_NOT_FOUND');
    await recordArticleChange(trx, former ? actionOf(former, row) : 'help_article.add', row, caller);
    return row;
  });
  // Not in the transaction, which locks all articles: a search indexes what is missing.
  await indexArticle(db, texts, row);
  return toEdited(row);
}

/** Deletes an article; the sweep removes its pictures. @throws ARTICLE_NOT_FOUND */
export async function deleteArticle(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await readArticleRow(trx, id);
    if (!row || !(await deleteHelp(trx, 'help_article', id))) throw appError('ARTICLE_NOT_FOUND');
    await upsertUser(trx, caller);
    await recordArticleChange(trx, 'help_article.delete', row, caller);
  });
}

async function validateContent(db: Db, former: ArticleContent, change: Change): Promise<ArticleContent> {
  const content: ArticleContent = {
    category_id: change.category_id === undefined ? former.category_id : change.category_id,
    title: change.title ? plainTexts(change.title, '/title') : former.title,
    body: change.body ?? former.body,
    default_lang: change.default_lang ?? former.default_lang,
    is_published: change.is_published ?? former.is_published,
  };
  const { category_id, title } = content;
  if (Object.keys(title).length === 0) throw refusedAt('/title', 'must not be empty');
  if (content.is_published && writtenIn(content).length === 0)
    throw refusedAt('/body', 'must not be empty in all languages that have a title');
  if (category_id !== null && !(await readCategoryRow(db, category_id)))
    throw refusedAt('/category_id', 'unknown category');
  return content;
}

/** Languages that have a title and a text. */
function writtenIn({ title, body }: { title: Texts; body: Texts }): Language[] {
  return LANGUAGES.filter((language) => title[language] && body[language]);
}

function pickLanguages(texts: Texts, languages: readonly Language[]): Texts {
  return Object.fromEntries(languages.flatMap((lang) => (texts[lang] ? [[lang, texts[lang]]] : [])));
}

function toManaged({ title, written, updated_at, ...row }: ArticleRow): ManagedArticle {
  return {
    ...row,
    title,
    written: LANGUAGES.filter((language) => title[language] && written.includes(language)),
    updated_at: updated_at.toISOString(),
  };
}

function toEdited({ body, ...row }: WholeArticleRow): EditedArticle {
  return { ...toManaged(row), body };
}

function actionOf(former: ArticleRow, { is_published }: ArticleRow): string {
  if (former.is_published === is_published) return 'help_article.change';
  return is_published ? 'help_article.publish' : 'help_article.withdraw';
}

async function recordArticleChange(db: Db, action: string, row: ArticleRow, caller: Caller): Promise<void> {
  const { id, title, default_lang, is_published } = row;
  await writeAuditLog(db, {
    actorId: caller.user_id,
    action,
    targetKind: 'help_article',
    targetId: id,
    targetName: { names: title, default_lang },
    detail: { is_published },
  });
}
