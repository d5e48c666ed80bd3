import sharp from 'sharp';
import type { Language } from '../../../../shared/languages.ts';
import { SHARE_SIZE } from '../../../../shared/share-image.ts';
import { brandMark, INK, QUIET, surface } from './brand.ts';
import { BOLD, type Fonts, REGULAR, type Weight } from './fonts.ts';
import { layOut } from './lines.ts';
import { type Frame, rounded } from './rounded.ts';
import { outlineOf } from './runs.ts';

/** What a card shows; pictures as their files are. */
export type Card = {
  language: Language;
  name: string;
  publisher: string;
  siteName: string;
  cover: Uint8Array | null;
  icon: Uint8Array | null;
};

const EDGE = 64;
const COVER: Frame = { left: 576, top: 156, width: 560, height: 315, radius: 20 };
const ICON = { size: 96, radius: 22, gap: 28 };
const BRAND = { size: 40, top: 60, baseline: 89, gap: 14, text: 26 };
const PUBLISHER = { baseline: 566, size: 28 };
/** Beside a cover, and on a card without one. */
const NAME = {
  beside: { width: COVER.left - EDGE - 36, lines: 3, sizes: [58, 50, 44] },
  alone: { width: SHARE_SIZE.width - 2 * EDGE, lines: 3, sizes: [84, 72, 60] },
};
const LEADING = 1.24;
/** From the top of a line to its baseline, in sizes of the letters. */
const ASCENT = 0.95;
const QUALITY = 84;

/** A line of text where it stands. */
type Line = {
  text: string;
  x: number;
  y: number;
  size: number;
  weight: Weight;
  ink: string;
};
type Plan = { lines: Line[]; icon: Frame | undefined };

/** Draws a card of 1200×630 pixels as a JPEG, which every reader of Open Graph takes. */
export async function drawCard(card: Card, fonts: Fonts): Promise<Uint8Array> {
  const { lines, icon } = await plan(card, fonts);
  const pictures = await Promise.all([
    ...(card.cover ? [rounded(card.cover, COVER)] : []),
    ...(card.icon && icon ? [rounded(card.icon, icon)] : []),
  ]);
  const letters = lines.map(async ({ text, weight, ink, ...place }) => {
    const outline = await outlineOf(text, place, fonts(card.language, weight));
    return `<path fill="${ink}" d="${outline}"/>`;
  });
  const { width, height } = SHARE_SIZE;
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${surface(SHARE_SIZE)}` +
    `${brandMark({ x: EDGE, y: BRAND.top, size: BRAND.size })}${(await Promise.all(letters)).join('')}</svg>`;
  return sharp(Buffer.from(drawing))
    .composite(pictures)
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Icon and name stand together in the middle of their column, the brand above and the publisher below. */
async function plan({ language, name, publisher, siteName, cover, icon }: Card, fonts: Fonts): Promise<Plan> {
  const room = cover ? NAME.beside : NAME.alone;
  const title = await layOut(name, { language, fontOf: fonts(language, BOLD), room });
  const below = { width: room.width, lines: 1, sizes: [PUBLISHER.size] };
  const by = await layOut(publisher, { language, fontOf: fonts(language, REGULAR), room: below });
  const leading = title.size * LEADING;
  const iconHeight = icon ? ICON.size + ICON.gap : 0;
  const top = Math.round((SHARE_SIZE.height - iconHeight - title.lines.length * leading) / 2);
  const bold = (line: Pick<Line, 'text' | 'x' | 'y' | 'size'>): Line => ({ ...line, weight: BOLD, ink: INK });
  const first = top + iconHeight + title.size * ASCENT;
  return {
    lines: [
      bold({ text: siteName, x: EDGE + BRAND.size + BRAND.gap, y: BRAND.baseline, size: BRAND.text }),
      ...title.lines.map((text, index) =>
        bold({ text, x: EDGE, y: first + index * leading, size: title.size }),
      ),
      ...by.lines.map(
        (text): Line => ({
          text,
          x: EDGE,
          y: PUBLISHER.baseline,
          size: by.size,
          weight: REGULAR,
          ink: QUIET,
        }),
      ),
    ],
    icon: icon ? { left: EDGE, top, width: ICON.size, height: ICON.size, radius: ICON.radius } : undefined,
  };
}
