import { Change, diff } from '@codemirror/merge';
import { tokenDifference } from './token-difference.ts';

/** Limits of the search for what differs inside changed lines: characters at a time, milliseconds in all. */
const CHARACTERS = { scanLimit: 500, timeout: 100 };
const TIME_IN_ALL = 400;

/**
 * What differs between two programs, in characters: lines first, so that a change here and one far below stay two, then
 * inside the changed lines. Once it has taken long, what is left is told by whole lines.
 */
export function lineDifference(before: string, after: string): readonly Change[] {
  const [beforeLines, afterLines] = [linesOf(before), linesOf(after)];
  const lines = tokenDifference(beforeLines, afterLines);
  if (!lines) return diff(before, after, CHARACTERS);
  const [beforeStarts, afterStarts] = [startsOf(beforeLines), startsOf(afterLines)];
  const end = Date.now() + TIME_IN_ALL;
  return lines.flatMap((line) => {
    const [fromA, toA] = [beforeStarts[line.fromA] ?? 0, beforeStarts[line.toA] ?? before.length];
    const [fromB, toB] = [afterStarts[line.fromB] ?? 0, afterStarts[line.toB] ?? after.length];
    if (Date.now() > end) return [new Change(fromA, toA, fromB, toB)];
    return diff(before.slice(fromA, toA), after.slice(fromB, toB), CHARACTERS).map(
      (one) => new Change(fromA + one.fromA, fromA + one.toA, fromB + one.fromB, fromB + one.toB),
    );
  });
}

/** Lines with the break that ends them. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Where each line begins, and after the last one the end. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return starts;
}
