let turn = 1;

/** Reads every text as one sound for each turn of this thread and one more, some as no text can be read. */
export function readWords(texts: readonly string[]) {
  if (texts.includes('終了')) process.exit(1);
  if (texts.includes('失敗')) throw new Error('not today');
  turn += 1;
  return texts.map((surface) => [{ surface, reading: 'ア'.repeat(turn) }]);
}
