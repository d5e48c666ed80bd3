import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** No word has more neighbours that are worth asking for. */
const NEIGHBOURS_MAX = 200;

/** Whether anything at all, in whatever tag, matches a query on everything that is searched. */
export async function hasMatch(db: Db, query: string): Promise<boolean> {
  const { rows } = await sql`
    select from plugin_search where "full" @@ ${query}::tsquery limit 1`.execute(db);
  return rows.length > 0;
}

/** Words of names that could be one letter away from the given ones; see `word_keys` for how they are found. */
export async function findNeighbours(
  db: Db,
  words: readonly string[],
): Promise<{ asked: string; word: string }[]> {
  const { rows } = await sql<{ asked: string; word: string }>`
    select asked.word as asked, near.word
      from unnest(${[...words]}::text[]) asked (word)
      cross join lateral (
        select distinct s.word from word_keys(asked.word) keys (key) join search_word s on s.key = keys.key
          limit ${NEIGHBOURS_MAX}
      ) near`.execute(db);
  return rows;
}
