import type { FindingCode } from '../finding-codes.ts';
import { type Context, isObject, isTextAt } from '../manifest/checks.ts';
import { inMegabytes, type JsonObject, type JsonValue } from '../package.ts';
import type { Path } from '../report.ts';

const PATH_MAX = 200;
/** Characters that some file systems refuse, and invisible ones. */
const FORBIDDEN = /[<>:"|?*\u2800\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Names of devices on Windows, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Resolves a path inside a package (R 6.5).
 * @returns the path without a leading "./", or the code of its error
 */
export function resolvePath(path: string): { name: string } | { code: FindingCode } {
  if (path.includes('\\')) return { code: 'FILE_PATH_BACKSLASH' };
  if (path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return { code: 'FILE_PATH_ABSOLUTE' };
  const name = path.replace(/^(?:\.\/)+/, '');
  const segments = name.split('/');
  if (segments.includes('..')) return { code: 'FILE_PATH_PARENT' };
  const isName = path.length <= PATH_MAX && segments.every(isSegment) && !FORBIDDEN.test(name);
  return isName ? { name } : { code: 'FILE_PATH_INVALID' };
}

function isSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && !/[. ]$|^ /.test(segment) && !DEVICE.test(segment);
}

/** Key of a path on a file system that ignores case and Unicode composition. */
function foldPath(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export function isScript(name: string): boolean {
  return /\.[cm]?js$/i.test(name);
}

/** A file of the package; `name` is its resolved path, `key` its key in `files`. */
export type PackageFile = { name: string; key: string; text: string; bytes: number };

/** Reads `files`; a file with an invalid path or too many bytes is reported and left out. */
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
    if (!isTextAt(text, path, context)) return [];
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

/** The earlier path that is the same, or where one of the two is a folder of the other. */
function collision(folded: string, taken: ReadonlyMap<string, string>): string | undefined {
  const found = [...taken].find(
    ([other]) => other === folded || other.startsWith(`${folded}/`) || folded.startsWith(`${other}/`),
  );
  return found?.[1];
}

/**
 * Resolves `main` and each `ui`, and reports files without a reference to them.
 * @param given `files` of the package, including the refused ones
 * @returns the main file
 */
export function checkReferences(
  manifest: JsonObject,
  files: readonly PackageFile[],
  given: JsonObject,
  context: Context,
): PackageFile | undefined {
  const known = { files, given: namesOf(given) };
  const main = findFile(manifest.main, ['manifest', 'main'], known, context);
  const pages = isObject(manifest.ui)
    ? Object.entries(manifest.ui)
        .slice(0, context.limits.files)
        .map(([key, page]) => findFile(page, ['manifest', 'ui', key], known, context))
    : [findFile(manifest.ui, ['manifest', 'ui'], known, context)];
  const referenced = new Set([main, ...pages]);
  const manifestText = JSON.stringify(manifest);
  for (const file of files) {
    if (referenced.has(file) || isMentioned(file, files, manifestText)) continue;
    context.report.key(['files', file.key], 'FILE_ORPHAN', { file: file.name });
  }
  return main;
}

/** The accepted files, and the names of all files including the refused ones. */
type Known = { files: readonly PackageFile[]; given: ReadonlySet<string> };

function findFile(
  path: JsonValue | undefined,
  at: Path,
  { files, given }: Known,
  { report }: Context,
): PackageFile | undefined {
  if (typeof path !== 'string' || path.trim() === '') return undefined;
  const resolved = resolvePath(path);
  if ('code' in resolved) {
    report.value(at, resolved.code, { path });
    return undefined;
  }
  const { name } = resolved;
  const found = files.find((file) => file.name === name);
  if (found) {
    if (found.text.trim() === '') report.value(['files', found.key], 'FILE_EMPTY', { file: name });
    return found;
  }
  const similar = files.find((file) => foldPath(file.name) === foldPath(name));
  if (similar) report.value(at, 'FILE_CASE', { file: name, other: similar.name });
  // A refused file has a finding already.
  else if (!given.has(name)) report.value(at, 'FILE_MISSING', { file: name });
  return undefined;
}

function namesOf(given: JsonObject): Set<string> {
  return new Set(
    Object.keys(given).flatMap((key) => {
      const resolved = resolvePath(key);
      return 'name' in resolved ? resolved.name : [];
    }),
  );
}

/** Whether another file, or any field of the manifest, contains the file's name. */
function isMentioned(file: PackageFile, files: readonly PackageFile[], manifestText: string): boolean {
  const base = file.name.slice(file.name.lastIndexOf('/') + 1);
  return manifestText.includes(base) || files.some((other) => other !== file && other.text.includes(base));
}
