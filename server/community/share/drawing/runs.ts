import type { Font } from 'fontkit';
import type { FontOf } from './fonts.ts';

/** Characters that follow one another in one font. */
export type Run = { text: string; font: Font };

/** Splits a text by the fonts that draw it. What no font has, such as emoji, is left out. */
export async function runsOf(text: string, fontOf: FontOf): Promise<Run[]> {
  const runs: Run[] = [];
  for (const character of text) {
    const font = await fontOf(character);
    const last = runs.at(-1);
    if (!font) continue;
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}

/** The text as it can be drawn: one line, composed characters, nothing that no font has. */
export async function drawableText(text: string, fontOf: FontOf): Promise<string> {
  const runs = await runsOf(text.normalize('NFC').replace(/[\s\p{Cc}\p{Cf}]+/gu, ' '), fontOf);
  return runs
    .map((run) => run.text)
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Width of a text in pixels. */
export async function widthOf(text: string, size: number, fontOf: FontOf): Promise<number> {
  const runs = await runsOf(text, fontOf);
  return runs.reduce(
    (width, { text, font }) => width + (font.layout(text).advanceWidth * size) / font.unitsPerEm,
    0,
  );
}

/** A line of text as the data of an SVG path. `y` is its baseline. */
export async function outlineOf(
  text: string,
  { x, y, size }: { x: number; y: number; size: number },
  fontOf: FontOf,
): Promise<string> {
  let place = x;
  let outline = '';
  for (const { text: part, font } of await runsOf(text, fontOf)) {
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(part);
    for (const [index, { path }] of glyphs.entries()) {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      outline += path
        .scale(scale, -scale)
        .translate(place + xOffset * scale, y - yOffset * scale)
        .toSVG();
      place += xAdvance * scale;
    }
  }
  return outline;
}
