import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** Difference of colour that the palette of a kept picture makes, by pixelmatch's measure from 0 to 1. */
const PALETTE = 0.15;
/** Side in pixels of a patch whose mean colour is compared where the letters are not the same. */
const PATCH = 24;

type Raw = { data: Buffer; info: { width: number; height: number } };

/** The pixels of a picture, or the mean colours of its patches. */
async function pixelsOf(picture: Buffer, patch = 1): Promise<Raw> {
  const { width, height } = await sharp(picture).metadata();
  return sharp(picture)
    .resize(Math.round(width / patch), Math.round(height / patch), { fit: 'fill', kernel: 'mitchell' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** Share of pixels, 0 to 1, in which two pictures differ; and a picture of where. */
export async function differingPixels(
  kept: Buffer,
  actual: Buffer,
): Promise<{ share: number; where: Buffer | undefined }> {
  const [before, now] = await Promise.all([pixelsOf(kept), pixelsOf(actual)]);
  const { width, height } = now.info;
  if (before.info.width !== width || before.info.height !== height) return { share: 1, where: undefined };
  const marked = Buffer.alloc(now.data.length);
  const count = pixelmatch(before.data, now.data, marked, width, height, { threshold: PALETTE });
  const where = await sharp(marked, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { share: count / (width * height), where };
}

/** Mean difference, 0 to 1, of the patches of two pictures: how the page is laid out and coloured, not its letters. */
export async function differingPatches(kept: Buffer, actual: Buffer): Promise<number> {
  const [before, now] = await Promise.all([pixelsOf(kept, PATCH), pixelsOf(actual, PATCH)]);
  if (before.data.length !== now.data.length) return 1;
  const sum = now.data.reduce(
    (total, value, index) => total + Math.abs(value - (before.data[index] ?? 0)),
    0,
  );
  return sum / now.data.length / 255;
}
