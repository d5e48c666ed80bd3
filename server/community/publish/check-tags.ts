import { TAGS_MAX } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { codeOfTag } from '../../../shared/tags.ts';
import type { Db } from '../schema.ts';
import { readNamedTags } from '../tags/store.ts';

/**
 * Codes of the tags that exist of those named, each once, and what is to be said of the others.
 * @param named by code or by a name in any language; undefined leaves the tags as they are
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
  const there = wanted.length === 0 ? [] : await readNamedTags(db);
  const found = wanted.map((tag) => ({ tag, code: codeOfTag(there, tag) }));
  return {
    tags: [...new Set(found.flatMap(({ code }) => code ?? []))],
    findings: found
      .filter(({ code }) => code === undefined)
      .map(({ tag }) => finding('TAG_UNKNOWN', { pointer: `/tags/${named.indexOf(tag)}` }, { tag })),
  };
}
