import sharp from 'sharp';
import { type Card, drawCard } from './drawing/card.ts';
import { openFonts } from './drawing/fonts.ts';

const fonts = openFonts();

// As for uploads: one thread, and nothing decoded stays behind.
sharp.concurrency(1);
sharp.cache(false);

/** Runs in a thread of its own: opening fonts takes a while. */
export function draw(card: Card): Promise<Uint8Array> {
  return drawCard(card, fonts);
}
