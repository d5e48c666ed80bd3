import type { Language } from '../../../../shared/languages.ts';
import type { FontOf } from './fonts.ts';
import { drawableText, widthOf } from './runs.ts';

export type Lines = { lines: string[]; size: number };

type Room = { width: number; lines: number; sizes: readonly number[] };

/** What must not begin a line in any of the languages: it stays with what it follows. */
const CLINGS = /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
/** What must not end a line. */
const OPENS = /[\p{Ps}\p{Pi}¿¡]$/u;
/** These fonts set the one-character ellipsis in the middle of the line, as only Chinese and Japanese have it. */
const more = (language: Language): string => (['zh-CN', 'ja-JP'].includes(language) ? '…' : '...');

/**
 * Breaks a text into lines between words (as Unicode and the language have them) in the largest size in which it fits
 * the room; what does not fit in the smallest ends in an ellipsis.
 */
export async function layOut(
  text: string,
  { language, fontOf, room }: { language: Language; fontOf: FontOf; room: Room },
): Promise<Lines> {
  const whole = await drawableText(text, fontOf);
  const pieces = piecesOf(whole, language);
  let size = 0;
  let lines: string[] = [];
  for (size of room.sizes) {
    lines = await broken(pieces, (piece) => fits(piece, size, room.width, fontOf));
    if (lines.length <= room.lines) return { lines, size };
  }
  const kept = lines.slice(0, room.lines);
  const last = kept.pop() ?? '';
  const end = await shortened(last, more(language), (line) => fits(line, size, room.width, fontOf));
  return { lines: [...kept, end], size };
}

type Fits = (text: string) => Promise<boolean>;

async function fits(text: string, size: number, width: number, fontOf: FontOf): Promise<boolean> {
  return (await widthOf(text.trimEnd(), size, fontOf)) <= width;
}

/** Pieces that stay whole; a line may end after each. */
function piecesOf(text: string, language: Language): string[] {
  const pieces: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    const last = pieces.at(-1);
    const clings = segment === ' ' || (CLINGS.test(segment) && !OPENS.test(segment));
    const joins = last !== undefined && (clings || OPENS.test(last));
    if (joins) pieces[pieces.length - 1] += segment;
    else pieces.push(segment);
  }
  return pieces;
}

async function broken(pieces: readonly string[], fit: Fits): Promise<string[]> {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    for (const part of (await fit(piece)) ? [piece] : graphemes(piece)) {
      if (line !== '' && !(await fit(line + part))) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += part;
    }
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

async function shortened(line: string, end: string, fit: Fits): Promise<string> {
  const kept = graphemes(line);
  while (kept.length > 0 && !(await fit(kept.join('') + end))) kept.pop();
  return kept.join('').trimEnd() + end;
}

function graphemes(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}
