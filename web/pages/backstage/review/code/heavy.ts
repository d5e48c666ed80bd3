import type { CodeFile } from '../../../../../shared/entities/backstage.ts';

/** Characters from which on a file, or one line of it, makes a browser think. */
const FILE_MAX = 300_000;
const LINE_MAX = 5000;

/** A large or minified file: no syntax is coloured in it, and it is not unfolded by itself. */
export function isHeavy({ before, after }: Pick<CodeFile, 'before' | 'after'>): boolean {
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
