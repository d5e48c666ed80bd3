import type { CodeFile } from '../../../../shared/entities/backstage.ts';

/** Most characters of one side of a file that are sent, and of a whole answer. */
export type ShownLimits = { file: number; all: number };

/** A minified program of a megabyte is nothing that a person compares; whoever must, downloads the package. */
export const SHOWN_LIMITS: ShownLimits = { file: 1024 * 1024, all: 8 * 1024 * 1024 };

/** Files of two packages side by side: what changed first, then by name. Null: there is no such package. */
export function compareFiles(
  before: ReadonlyMap<string, string> | null,
  after: ReadonlyMap<string, string>,
  limits: ShownLimits = SHOWN_LIMITS,
): CodeFile[] {
  const earlier = before ?? new Map<string, string>();
  const names = [...new Set([...after.keys(), ...earlier.keys()])];
  const files = names.map((name) => sideBySide(name, earlier.get(name), after.get(name)));
  const ordered = [...files.filter(isChanged), ...files.filter((file) => !isChanged(file))];
  let left = limits.all;
  return ordered.map((file) => {
    const shown = cutTo(file, Math.min(limits.file, Math.floor(left / 2)));
    left -= (shown.before?.length ?? 0) + (shown.after?.length ?? 0);
    return shown;
  });
}

function isChanged({ change }: CodeFile): boolean {
  return change !== 'same';
}

function sideBySide(name: string, before: string | undefined, after: string | undefined): CodeFile {
  return {
    name,
    change: changeOf(before, after),
    before: before ?? null,
    after: after ?? null,
    is_cut: false,
  };
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
