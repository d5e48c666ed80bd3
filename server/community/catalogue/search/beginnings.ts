import { sql } from 'kysely';
import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import { type Beginnings, beginningsIn, type KeywordReadings, UNSPELLED } from './query.ts';

/** What more words begin with stays a beginning: `c` would make a long query. */
const WORDS_MAX = 32;

/**
 * The words that begin as a keyword's do, where filters or a tag leave few plugins. GIN reads a beginning whole before it looks
 * at rarer words, but skips through words: 21 ms instead of 105 at a million plugins (docs/decisions.md, 331).
 */
export async function readBeginnings(
  db: Db,
  keyword: string,
  {
    tagId,
    filters,
    readings,
  }: { tagId: number; filters: readonly unknown[]; readings?: KeywordReadings | undefined },
): Promise<Beginnings> {
  const asked = beginningsIn(keyword, readings);
  if (asked.length === 0 || (filters.length === 0 && tagId === ALL_TAG_ID)) return UNSPELLED;
  const { rows } = await sql<{ beginning: string; words: string[] }>`
    select asked.beginning, found.words
      from unnest(${asked}::text[]) asked (beginning)
      cross join lateral (
        select array_agg(lexeme order by lexeme) as words from (
          select lexeme from search_lexeme
            where lexeme >= asked.beginning and lexeme < asked.beginning || U&'\\+10FFFF' limit ${WORDS_MAX + 1}
        ) begun
      ) found
      where cardinality(found.words) <= ${WORDS_MAX}`.execute(db);
  return new Map(rows.map(({ beginning, words }) => [beginning, words]));
}
