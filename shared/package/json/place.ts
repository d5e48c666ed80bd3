/** Position of a JSON value in its text, with the positions of its members or items. */
export type JsonPlace = {
  /** Offset of the value. */
  at: number;
  /** Offset of its key, if it is a member of an object. */
  keyAt?: number;
  members?: Map<string, JsonPlace>;
  items?: JsonPlace[];
};

/** JSON pointer (RFC 6901) of a path. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Position of the value at a path, or of its closest existing parent. */
export function placeOf(root: JsonPlace, path: readonly (string | number)[]): JsonPlace {
  let place = root;
  for (const part of path) {
    const next = typeof part === 'number' ? place.items?.[part] : place.members?.get(part);
    if (next === undefined) return place;
    place = next;
  }
  return place;
}

/** Line and column, both from 1, of an offset; columns count UTF-16 units like editors. */
export type LineOf = (offset: number) => { line: number; column: number };

/** Characters scanned per lookup at most, even in very long lines. */
const STEP = 1 << 10;

type Mark = { line: number; start: number };

/** Looks up lines of a text. The index is built lazily and holds two numbers per 1,024 characters. */
export function linesOf(text: string): LineOf {
  const marks: Mark[] = [{ line: 1, start: 0 }];
  return (offset) => {
    const at = Math.min(Math.max(offset, 0), text.length);
    const step = Math.floor(at / STEP);
    while (marks.length <= step) {
      const from = (marks.length - 1) * STEP;
      marks.push(markAt(text, marks.at(-1), from, from + STEP));
    }
    const { line, start } = markAt(text, marks[step], step * STEP, at);
    return { line, column: at - start + 1 };
  };
}

/** Line at offset `to` and where the line starts, counted from the mark at offset `from`. */
function markAt(text: string, { line, start }: Mark = { line: 1, start: 0 }, from: number, to: number): Mark {
  let breaks = 0;
  let last = start;
  for (let at = from; at < to; at += 1) {
    if (text.charCodeAt(at) !== 10) continue;
    breaks += 1;
    last = at + 1;
  }
  return { line: line + breaks, start: last };
}
