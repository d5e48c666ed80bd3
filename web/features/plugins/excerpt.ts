/** Widths of letters in a card, in widths of a Latin one. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/u, 2.1],
  [/[\u0400-\u052f]/u, 1.2],
];

/** Latin letters that two lines of the narrowest card hold. */
const TWO_LINES = 80;

/** How far back, in letters, the end of a word is looked for; Chinese and Japanese have no spaces and need none. */
const WORD_MAX = 24;

/** A text for two lines of a card, cut between words where it is longer. */
export function excerpt(text: string): string {
  const letters = [...text];
  let width = 0;
  const end = letters.findIndex((letter) => {
    width += WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? 1;
    return width > TWO_LINES;
  });
  if (end === -1) return text;
  const room = letters.slice(0, end);
  const space = letters[end] === ' ' ? end : room.lastIndexOf(' ');
  const cut = space > end - WORD_MAX ? room.slice(0, space) : room;
  return `${cut.join('').replace(/[\s.,;:!?、，。；：！？…–—-]+$/u, '')}…`;
}
