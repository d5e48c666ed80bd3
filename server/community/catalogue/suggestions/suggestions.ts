import type { FastifyInstance } from 'fastify';
import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Suggestions, Tag } from '../../../../shared/entities/plugin.ts';
import { type Language, textIn } from '../../../../shared/languages.ts';
import { implement } from '../../../http/implement.ts';
import type { Db } from '../../schema.ts';
import { toTag } from '../plugins/cards.ts';
import { createKnownWords, type KnownWords } from '../plugins/list.ts';
import { readTags } from '../plugins/store.ts';
import { suggestPublishers } from '../publisher-names/suggested.ts';
import { foldName, lexemesOfText, termsOfKeyword } from '../search/lexemes.ts';
import { type KeywordQuery, queryOfKeyword } from '../search/query.ts';
import { findBest } from '../search/ranked-store.ts';
import { expectWords, readListed } from '../search/store.ts';
import { readSuggestedRows } from './store.ts';

/** What a person can take in while typing. */
const PLUGINS_MAX = 6;
const PUBLISHERS_MAX = 3;
const TAGS_MAX = 3;

/** What is asked for with almost every letter: plugins, publishers and tags by the beginning of a word. */
export function suggestionsRoutes(app: FastifyInstance): void {
  const { db, community } = app;
  const known = createKnownWords({ perf: community.perf });
  implement(app, contract.suggestPlugins, async ({ query: { keyword, language } }): Promise<Suggestions> => {
    const readings = await community.japanese.readKeyword(keyword, language);
    const query = queryOfKeyword(foldName(keyword), ALL_TAG_ID, readings);
    const [plugin_list, publisher_list, tag_list] = await Promise.all([
      suggestPlugins({ db, known }, query, language),
      suggestPublishers(db, foldName(keyword), PUBLISHERS_MAX),
      suggestTags(db, keyword, language),
    ]);
    return { plugin_list, publisher_list, tag_list };
  });
}

async function suggestPlugins(
  { db, known }: { db: Db; known: KnownWords },
  query: KeywordQuery | undefined,
  language: Language,
): Promise<Suggestions['plugin_list']> {
  const listed = await readListed(db, ALL_TAG_ID);
  if (!query || !listed) return [];
  const before = known.of(query)?.expected;
  const expected = before
    ? { ...before, listed }
    : await expectWords(db, query, { tagId: ALL_TAG_ID, listed });
  if (!before) known.learn(query, { expected, total: 0 });
  const search = { tagId: ALL_TAG_ID, query, after: undefined, limit: PLUGINS_MAX };
  const matches = await findBest(db, search, expected);
  if (matches.length === 0) return [];
  const rows = await readSuggestedRows(
    db,
    matches.map(({ plugin_id }) => plugin_id),
  );
  return rows.map(({ plugin_key, default_lang, names, icon }) => {
    const { text: name, lang } = textIn(names, language, default_lang);
    return { plugin_key, name, lang, icon };
  });
}

/** Tags with all words of a keyword, or beginnings of words, in a name of any language. There are few of them. */
async function suggestTags(db: Db, keyword: string, language: Language): Promise<Tag[]> {
  const terms = termsOfKeyword(keyword);
  if (terms.length === 0) return [];
  const isMatch = (name: string): boolean => {
    const words = [...lexemesOfText(name)];
    return terms.every(({ lexeme, isPrefix }) =>
      words.some((word) => (isPrefix ? word.startsWith(lexeme) : word === lexeme)),
    );
  };
  const tags = await readTags(db);
  return tags
    .filter(({ name }) => Object.values(name).some(isMatch))
    .slice(0, TAGS_MAX)
    .map((tag) => toTag(tag, language));
}
