import sharp, { type OverlayOptions } from 'sharp';

/** Where a picture goes on a card, and how round its corners are; pixels. */
export type Frame = { left: number; top: number; width: number; height: number; radius: number };

/** A stored picture cut to fill its frame. */
export async function rounded(file: Uint8Array, frame: Frame): Promise<OverlayOptions> {
  const { left, top, width, height, radius } = frame;
  const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}"/></svg>`;
  const input = await sharp(file)
    .resize({ width, height, fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { input, left, top };
}
