/**
 * Edits between two texts, neighbours that changed places counting as one (optimal string alignment).
 * @returns the number, or `most + 1` when there are more than `most`
 */
export function editDistance(a: string, b: string, most: number): number {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const isSame = letter === other;
      const changed = (last[column] ?? 0) + (isSame ? 0 : 1);
      const removed = (last[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      const isSwapped = row > 0 && column > 0 && letter === right[column - 1] && left[row - 1] === other;
      const swapped = isSwapped ? (beforeLast[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(changed, removed, added, swapped));
    }
    if (Math.min(...current) > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(last.at(-1) ?? 0, most + 1);
}
