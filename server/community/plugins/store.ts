import { sql } from 'kysely';
import type { Texts } from '../../../shared/languages.ts';
import type { Db } from '../schema.ts';

/** The tags that visitors see, in their order. */
export async function readTags(db: Db): Promise<{ id: number; code: string; name: Texts }[]> {
  const { rows } = await sql<{ id: number; code: string; name: Texts }>`
    select id, code, name from tag where not is_hidden order by position, id`.execute(db);
  return rows;
}
