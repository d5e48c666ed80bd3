import { TEXT_LIMITS } from '../../../shared/constants.ts';
import type { HelpHit } from '../../../shared/entities/help.ts';
import { fallbackOrder, LANGUAGES, type Language, type Texts, textIn } from '../../../shared/languages.ts';
import { isAppError } from '../../http/errors.ts';
import { foldText, lexemesOfText, runsOf, wordOf } from '../catalogue/search/lexemes.ts';
import { queryOfFilters } from '../catalogue/search/query.ts';
import type { Db } from '../schema.ts';
import { type ArticleContent, findArticles, readUnindexed, upsertSearchRow } from './store.ts';
import type { Texts as ArticleTexts } from './texts.ts';

/** Characters of an excerpt, and those before the match. */
const EXCERPT_LENGTH = 160;
const CONTEXT_LENGTH = 40;
/** Shorter lines are probably headings. */
const SENTENCE_LENGTH_MIN = 20;

type Searchable = Pick<ArticleContent, 'title' | 'body'> & { id: number; updated_at: Date };

/**
 * Indexes the titles and texts of an article in all languages that have both; of a text that an earlier release stored and
 * that cannot be read, the title alone.
 */
export async function indexArticle(
  db: Db,
  texts: ArticleTexts,
  { id, updated_at, title, body }: Searchable,
): Promise<void> {
  const written = LANGUAGES.filter((language) => title[language] && body[language]);
  const plain: Texts = {};
  for (const language of written) plain[language] = await plainOf(texts, body[language] ?? '');
  const titles = lexemesOfText(written.map((language) => title[language]).join('\n'));
  const words = titles.union(lexemesOfText(Object.values(plain).join('\n')));
  await upsertSearchRow(db, { id, updated_at, title: [...titles], words: [...words], plain });
}

async function plainOf(texts: ArticleTexts, text: string): Promise<string> {
  try {
    return (await texts.read(text, '')).lines.join('\n');
  } catch (error) {
    if (isAppError(error) && error.code === 'VALIDATION_FAILED') return '';
    throw error;
  }
}

/**
 * Finds up to 50 published articles with all words of a keyword, matches in the title first. Articles without an index row,
 * for example of the demo, are indexed first.
 */
export async function searchArticles(
  db: Db,
  texts: ArticleTexts,
  { keyword, language }: { keyword: string; language: Language },
): Promise<HelpHit[]> {
  const query = queryOfFilters({ keyword: keyword.slice(0, TEXT_LIMITS.keyword) });
  if (query === undefined || query === 'nothing') return [];
  for (const article of await readUnindexed(db)) await indexArticle(db, texts, article);
  const rows = await findArticles(db, query);
  return rows.map(({ id, category_id, title, default_lang, plain, updated_at }) => {
    const readable: Texts = Object.fromEntries(
      LANGUAGES.filter((lang) => plain[lang] !== undefined).map((lang) => [lang, title[lang]]),
    );
    const { text, lang } = textIn(readable, language, default_lang);
    return {
      id,
      category_id,
      title: text,
      lang,
      updated_at: updated_at.toISOString(),
      ...excerptOf(plain, { shown: lang, default_lang }, keyword),
    };
  });
}

/**
 * The excerpt around a keyword, preferably in a sentence and not in a heading: in this language, or else in another, or else
 * the beginning of the text.
 */
function excerptOf(
  plain: Texts,
  { shown, default_lang }: { shown: Language; default_lang: Language },
  keyword: string,
): Pick<HelpHit, 'excerpt' | 'excerpt_lang'> {
  const words = runsOf(keyword).map(wordOf);
  for (const lang of fallbackOrder(shown, default_lang)) {
    const places = (plain[lang]?.split('\n') ?? []).flatMap((line) => {
      const folded = foldText(line);
      const place = words.map((word) => folded.indexOf(word)).find((found) => found >= 0);
      return place === undefined ? [] : [{ line, place }];
    });
    const best = places.find(({ line }) => line.length >= SENTENCE_LENGTH_MIN) ?? places[0];
    if (best) return { excerpt: cutAt(best.line, best.place), excerpt_lang: lang };
  }
  return { excerpt: cutAt(plain[shown] ?? '', 0), excerpt_lang: shown };
}

function cutAt(line: string, place: number): string {
  const characters = [...line.replaceAll('\n', ' ')];
  const start = characters.length <= EXCERPT_LENGTH ? 0 : Math.max(0, place - CONTEXT_LENGTH);
  const cut = characters
    .slice(start, start + EXCERPT_LENGTH)
    .join('')
    .trim();
  return `${start > 0 ? '…' : ''}${cut}${start + EXCERPT_LENGTH < characters.length ? '…' : ''}`;
}
