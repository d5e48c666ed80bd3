/** Letter widths in a card, relative to a Latin letter. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/u, 2.1],
  [/[\u0400-\u052f]/u, 1.2],
];

/** Latin letters in two lines of the narrowest card. */
const TWO_LINES = 80;

/** How many letters back to look for the end of a word; Chinese and Japanese have no spaces and need none. */
const WORD_MAX = 24;

/** Shortens a text to two lines of a card, at a word boundary. */
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
