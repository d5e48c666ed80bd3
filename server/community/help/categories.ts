import { HELP_LIMITS } from '../../../shared/constants.ts';
import type { HelpCategory, ManagedCategory } from '../../../shared/entities/help.ts';
import { type Language, type Texts, textIn } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';
import { lockOrdered } from '../catalogue/ordering.ts';
import { type AuditLogDetail, recordChange } from '../people/audit-log/store.ts';
import type { Caller } from '../people/auth/caller.ts';
import { plainTexts, refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import {
  type CategoryTexts,
  countHelp,
  deleteHelp,
  insertCategory,
  readArticleRows,
  readCategoryRow,
  readCategoryRows,
  updateCategory,
} from './store.ts';

/** Lists the categories that have published articles, in a language or in the best available one. */
export async function listCategories(db: Db, language: Language): Promise<HelpCategory[]> {
  const [rows, articles] = await Promise.all([
    readCategoryRows(db),
    readArticleRows(db, { published: true }),
  ]);
  return rows.flatMap(({ id, name, default_lang }) => {
    const article_count = articles.filter(({ category_id }) => category_id === id).length;
    const { text, lang } = textIn(name, language, default_lang);
    return article_count === 0 ? [] : [{ id, name: text, lang, article_count }];
  });
}

/**
 * Adds a category, or renames the category with this id.
 * @throws VALIDATION_FAILED, NOT_FOUND, HELP_LIMIT_REACHED
 */
export async function saveCategory(
  db: Db,
  { id, name, default_lang }: CategoryTexts & { id?: number },
  caller: Caller,
): Promise<ManagedCategory> {
  const texts = { name: plainTexts(name, '/name'), default_lang };
  if (Object.keys(texts.name).length === 0) throw refusedAt('/name', 'must not be empty');
  return db.transaction().execute(async (trx) => {
    await lockOrdered(trx, 'help_category');
    if (id === undefined && (await countHelp(trx, 'help_category')) >= HELP_LIMITS.categories)
      throw appError('HELP_LIMIT_REACHED');
    const saved = id ?? (await insertCategory(trx, texts, caller.user_id));
    if (id !== undefined && !(await updateCategory(trx, id, texts))) throw appError('NOT_FOUND');
    const row = await readCategoryRow(trx, saved);
    if (!row) throw appError('NOT_FOUND');
    await recordCategoryChange(
      trx,
      id === undefined ? 'help_category.add' : 'help_category.change',
      row,
      caller,
    );
    return row;
  });
}

/** Deletes a category; its articles stay without one. @throws NOT_FOUND */
export async function deleteCategory(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The same order of locks as in saveArticle prevents deadlocks.
    await lockOrdered(trx, 'help_article');
    const row = await readCategoryRow(trx, id);
    if (!row || !(await deleteHelp(trx, 'help_category', id))) throw appError('NOT_FOUND');
    await recordCategoryChange(trx, 'help_category.delete', row, caller, { articles: row.article_count });
  });
}

async function recordCategoryChange(
  db: Db,
  action: string,
  row: { id: number; name: Texts; default_lang: Language },
  caller: Caller,
  detail: AuditLogDetail = {},
): Promise<void> {
  await recordChange(db, caller, {
    action,
    targetKind: 'help_category',
    targetId: row.id,
    targetName: { names: row.name, default_lang: row.default_lang },
    detail,
  });
}
