/** Where a value of a JSON text stands, and its parts: the text's shape beside the values themselves. */
export type JsonPlace = {
  /** Offset of the value. */
  at: number;
  /** Offset of the key it stands under. */
  keyAt?: number;
  members?: Map<string, JsonPlace>;
  items?: JsonPlace[];
};

/** JSON pointer (RFC 6901) of a path. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The place of a part, or of the value it would be in when it is not there. */
export function placeOf(root: JsonPlace, path: readonly (string | number)[]): JsonPlace {
  let place = root;
  for (const part of path) {
    const next = typeof part === 'number' ? place.items?.[part] : place.members?.get(part);
    if (next === undefined) return place;
    place = next;
  }
  return place;
}

export function placeIn(place: JsonPlace, key: string): JsonPlace | undefined {
  return place.members?.get(key);
}

/** Line and column, from 1, of an offset; columns count UTF-16 units as editors do. */
export type LineOf = (offset: number) => { line: number; column: number };

/** Characters walked for each question at most, however long the lines are. */
const STEP = 1 << 10;

type Mark = { line: number; start: number };

/** Finds lines of a text; what it remembers are two numbers per 1 Ki characters, and only once it is asked. */
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

/** Line at an offset, and where it starts, from those of an earlier one. */
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
