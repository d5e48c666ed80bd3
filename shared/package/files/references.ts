import { type Context, isObject } from '../manifest/checks.ts';
import type { JsonObject, JsonValue } from '../package.ts';
import type { Path } from '../report.ts';
import { foldPath, resolvePath } from './path.ts';
import type { PackageFile } from './read-files.ts';

/** Resolves `main` and each `ui` in the files, and reports files that nothing refers to. Answers the main file. */
export function checkReferences(
  manifest: JsonObject,
  files: readonly PackageFile[],
  given: JsonObject,
  context: Context,
): PackageFile | undefined {
  const known = { files, given: namesOf(given) };
  const main = refer(manifest.main, ['manifest', 'main'], known, context);
  const pages = isObject(manifest.ui)
    ? Object.entries(manifest.ui)
        .slice(0, context.limits.files)
        .map(([key, page]) => refer(page, ['manifest', 'ui', key], known, context))
    : [refer(manifest.ui, ['manifest', 'ui'], known, context)];
  const named = new Set([main, ...pages]);
  const manifestText = JSON.stringify(manifest);
  for (const file of files) {
    if (named.has(file) || isMentioned(file, files, manifestText)) continue;
    context.report.key(['files', file.key], 'FILE_ORPHAN', { file: file.name });
  }
  return main;
}

/** The files that can be referred to, and the names of all that were given, those that were refused among them. */
type Known = { files: readonly PackageFile[]; given: ReadonlySet<string> };

function refer(
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
  const alike = files.find((file) => foldPath(file.name) === foldPath(name));
  if (alike) report.value(at, 'FILE_CASE', { file: name, other: alike.name });
  // A file that was refused has a finding of its own.
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

/** True when another file, or a field of the manifest that is not known here, names the file. */
function isMentioned(file: PackageFile, files: readonly PackageFile[], manifestText: string): boolean {
  const base = file.name.slice(file.name.lastIndexOf('/') + 1);
  return manifestText.includes(base) || files.some((other) => other !== file && other.text.includes(base));
}
