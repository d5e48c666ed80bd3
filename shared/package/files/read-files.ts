import { inMegabytes } from '../limits.ts';
import { type Context, isOtherType } from '../manifest/checks.ts';
import type { JsonObject } from '../package.ts';
import { foldPath, resolvePath } from './path.ts';

/** A file of the package: its path as it resolves, and the key it stands under. */
export type PackageFile = { name: string; key: string; text: string; bytes: number };

/** Reads `files`; those that cannot be kept under their path are reported and left out. */
export function readFiles(files: JsonObject, context: Context): PackageFile[] {
  const { report, limits } = context;
  const entries = Object.entries(files);
  if (entries.length > limits.files) {
    report.value(['files'], 'TOO_MANY_FILES', { limit: String(limits.files) });
  }
  if (entries.length === 0) report.value(['files'], 'FIELD_EMPTY');
  const taken = new Map<string, string>();
  return entries.slice(0, limits.files).flatMap(([key, text]) => {
    const path = ['files', key];
    const resolved = resolvePath(key);
    if ('code' in resolved) {
      report.key(path, resolved.code, { path: key });
      return [];
    }
    if (isOtherType(text, ['string'], path, context) || typeof text !== 'string') return [];
    const { name } = resolved;
    const other = collision(foldPath(name), taken);
    if (other !== undefined) report.key(path, 'FILE_PATH_COLLISION', { path: key, other });
    taken.set(foldPath(name), key);
    const bytes = new TextEncoder().encode(text).length;
    if (bytes <= limits.codeBytes) return [{ name, key, text, bytes }];
    report.value(path, 'CODE_TOO_LARGE', { file: name, size: inMegabytes(limits.codeBytes) });
    return [];
  });
}

/** A path that is the same, or that this one takes for a folder, or the other way round. */
function collision(folded: string, taken: ReadonlyMap<string, string>): string | undefined {
  const found = [...taken].find(
    ([other]) => other === folded || other.startsWith(`${folded}/`) || folded.startsWith(`${other}/`),
  );
  return found?.[1];
}
