import sharp from 'sharp';
import { PICTURE_WIDTHS } from '../../../../shared/constants.ts';

/** Dots per inch at which one unit of a drawing is one pixel. */
const FULL_DENSITY = 72;
const WIDEST = Math.max(...PICTURE_WIDTHS);

/** As wide as it is drawn, or as the widest picture that is kept. Our own drawings are the only SVG ever read. */
export function rasterise(svg: string, width: number): Promise<Uint8Array> {
  const density = FULL_DENSITY * Math.min(1, WIDEST / width);
  return sharp(Buffer.from(svg), { density }).png({ compressionLevel: 1 }).toBuffer();
}
