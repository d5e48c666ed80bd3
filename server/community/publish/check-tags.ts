import { TAGS_MAX } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import type { Db } from '../schema.ts';
import { readTagCodes } from './tags/store.ts';

/**
 * The tags that exist of those named, each once, and what is to be said of the others.
 * @param named undefined leaves the tags as they are
 */
export async function checkTags(
  db: Db,
  named: readonly string[] | undefined,
): Promise<{ tags: string[] | undefined; findings: Finding[] }> {
  if (!named) return { tags: undefined, findings: [] };
  const wanted = [...new Set(named)];
  if (wanted.length > TAGS_MAX) {
    const limit = String(TAGS_MAX);
    return { tags: [], findings: [finding('TOO_MANY_TAGS', { pointer: '/tags' }, { limit })] };
  }
  const known = await readTagCodes(db, wanted);
  const unknown = wanted.filter((tag) => !known.has(tag));
  return {
    tags: wanted.filter((tag) => known.has(tag)),
    findings: unknown.map((tag) =>
      finding('TAG_UNKNOWN', { pointer: `/tags/${named.indexOf(tag)}` }, { tag }),
    ),
  };
}
