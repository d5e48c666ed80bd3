import { buffer } from 'node:stream/consumers';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { CodeFile } from '../../../../shared/entities/backstage.ts';
import type { Language } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';
import { refuseWithdrawn } from '../../catalogue/withdrawal/withdrawn.ts';
import type { FileStore } from '../../files/media/files.ts';
import type { Db } from '../../schema.ts';
import { type PackageRow, readPackageRows } from './detail-store.ts';

/** Larger packages are not read into memory; the default limit of uploads is lower. */
const PACKAGE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Compares the files of the package under review with those of the version approved before.
 * @throws SUBMISSION_NOT_FOUND; PLUGIN_WITHDRAWN, VERSION_WITHDRAWN; PACKAGE_TOO_LARGE for a package that is too large to show
 */
export async function readAuditCode(
  db: Db,
  files: FileStore,
  submissionId: number,
  language: Language,
): Promise<{ passed_version: string | null; file_list: CodeFile[] }> {
  const found = await readPackageRows(db, submissionId);
  if (!found) throw appError('SUBMISSION_NOT_FOUND');
  refuseWithdrawn(found.withdrawn, language);
  const before = await readPackage(files, found.before);
  const after = await readPackage(files, found.after);
  return { passed_version: found.passed_version, file_list: compareFiles(before, after ?? []) };
}

async function readPackage(files: FileStore, row: PackageRow): Promise<ShownFile[] | null> {
  if (row === null) return null;
  if (row.bytes > PACKAGE_BYTES_MAX) {
    throw appError('PACKAGE_TOO_LARGE', { params: { size: PACKAGE_BYTES_MAX / 1024 / 1024 } });
  }
  const file = await files.get(row.name);
  if (!file) return null;
  return packageFiles(new TextDecoder().decode(await buffer(file.stream())));
}

const Package = Type.Object({
  manifest: Type.Record(Type.String(), Type.Unknown()),
  files: Type.Record(Type.String(), Type.String()),
});

/** Names under which the manifest, and a package that cannot be parsed, are shown. */
const MANIFEST_NAME = 'manifest.json';
const WHOLE_NAME = 'package.json';

/** One side of a file: what is made for the view differs by its kind from what users send under any name. */
type ShownFile = Pick<CodeFile, 'kind' | 'name'> & { text: string };

/**
 * The files of a stored package (R 6.1), with the manifest first. What cannot be parsed as a package is shown as one file: a
 * reviewer must see what users would download.
 */
export function packageFiles(text: string): ShownFile[] {
  const content = parsed(text);
  if (!Check(Package, content)) return [{ kind: 'package', name: WHOLE_NAME, text }];
  return [
    { kind: 'manifest', name: MANIFEST_NAME, text: `${JSON.stringify(content.manifest, null, 2)}\n` },
    ...Object.entries(content.files).map(([name, one]): ShownFile => ({ kind: 'file', name, text: one })),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Limits of the characters sent: for one side of a file, and for the whole response. */
type ShownLimits = { file: number; all: number };

/** Reviewers download the package to compare larger, minified programs. */
const SHOWN_LIMITS: ShownLimits = { file: 1024 * 1024, all: 8 * 1024 * 1024 };

/** Compares the files of two packages: changed files first. `before` is null without an earlier package. */
export function compareFiles(
  before: readonly ShownFile[] | null,
  after: readonly ShownFile[],
  limits: ShownLimits = SHOWN_LIMITS,
): CodeFile[] {
  const [earlier, later] = [byPlace(before ?? []), byPlace(after)];
  const places = new Set([...later.keys(), ...earlier.keys()]);
  const files = [...places].flatMap((place) => sideBySide(earlier.get(place), later.get(place)));
  const ordered = [...files.filter(isChanged), ...files.filter((file) => !isChanged(file))];
  let left = limits.all;
  return ordered.map((file) => {
    const shown = cutTo(file, Math.min(limits.file, Math.floor(left / 2)));
    left -= (shown.before?.length ?? 0) + (shown.after?.length ?? 0);
    return shown;
  });
}

function byPlace(files: readonly ShownFile[]): Map<string, ShownFile> {
  return new Map(files.map((file) => [`${file.kind} ${file.name}`, file]));
}

function isChanged({ change }: CodeFile): boolean {
  return change !== 'same';
}

function sideBySide(before: ShownFile | undefined, after: ShownFile | undefined): CodeFile[] {
  const either = after ?? before;
  if (!either) return [];
  const { kind, name } = either;
  const change = changeOf(before?.text, after?.text);
  return [{ kind, name, change, before: before?.text ?? null, after: after?.text ?? null, is_cut: false }];
}

function changeOf(before: string | undefined, after: string | undefined): CodeFile['change'] {
  if (before === after) return 'same';
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

function cutTo(file: CodeFile, max: number): CodeFile {
  const cut = (text: string | null) =>
    text === null || text.length <= max ? text : text.slice(0, max).toWellFormed();
  const [before, after] = [cut(file.before), cut(file.after)];
  return { ...file, before, after, is_cut: before !== file.before || after !== file.after };
}
