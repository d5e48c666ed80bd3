/** Line and column, from 1, of an offset; columns count UTF-16 units as editors do. */
export type LineOf = (offset: number) => { line: number; column: number };

const STEP = 1 << 16;

/** Finds lines of a text; what it remembers is one number per 64 Ki characters, and only once it is asked. */
export function linesOf(text: string): LineOf {
  const before: number[] = [];
  return (offset) => {
    const at = Math.min(Math.max(offset, 0), text.length);
    while (before.length * STEP <= at) {
      const from = (before.length - 1) * STEP;
      before.push(before.length === 0 ? 0 : (before.at(-1) ?? 0) + breaksIn(text, from, from + STEP));
    }
    const step = Math.floor(at / STEP);
    const line = (before[step] ?? 0) + breaksIn(text, step * STEP, at) + 1;
    return { line, column: at === 0 ? 1 : at - text.lastIndexOf('\n', at - 1) };
  };
}

function breaksIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}
