import { TAGS_MAX } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { codeOfTag } from '../../../shared/tags.ts';
import { readManagedMarks } from '../marks/store.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { readNamedTags } from '../tags/store.ts';
import type { Standing } from './standing.ts';

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

/**
 * Code of the mark that an administrator chose, by its code or a name in any language; undefined leaves the mark, and so
 * does the one that stands there.
 * @throws VALIDATION_FAILED when there is no such mark
 */
export async function checkMark(
  db: Db,
  named: string | undefined,
  standing: Standing | null,
): Promise<string | undefined> {
  const wanted = named?.trim();
  if (wanted === undefined || wanted === standing?.listing.plugin_mark) return undefined;
  if (wanted === '') return wanted;
  const marks = await readManagedMarks(db);
  const code = codeOfTag(
    marks.map((mark) => ({ code: mark.code, names: Object.values(mark.name) })),
    wanted,
  );
  if (code === undefined) throw refusedAt('/plugin_mark', 'must be the code or name of a mark');
  return code;
}
