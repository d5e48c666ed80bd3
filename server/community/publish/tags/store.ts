import type { Db } from '../../schema.ts';

/** Those of the codes that are tags. */
export async function readTagCodes(db: Db, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const rows = await db
    .selectFrom('tag')
    .select('code')
    .where('code', 'in', [...codes])
    .execute();
  return new Set(rows.map(({ code }) => code));
}
