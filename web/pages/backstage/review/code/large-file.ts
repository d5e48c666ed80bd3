import type { CodeFile } from '../../../../../shared/entities/backstage.ts';

/** Length of a file, and of a line, from which rendering is slow. */
const FILE_MAX = 300_000;
const LINE_MAX = 5000;

/** A large or minified file: no syntax highlighting, and collapsed at first. */
export function isLargeFile({ before, after }: Pick<CodeFile, 'before' | 'after'>): boolean {
  return [before, after].some((text) => text !== null && (text.length > FILE_MAX || hasLongLine(text)));
}

function hasLongLine(text: string): boolean {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const length = (end < 0 ? text.length : end) - start;
    if (length > LINE_MAX) return true;
    start += length + 1;
  }
  return false;
}
