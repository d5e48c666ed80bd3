import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** Difference of colour that a kept picture's compression and other anti-aliasing make, by pixelmatch's measure from 0 to 1. */
const THRESHOLD = 0.2;

/** Share of pixels, 0 to 1, in which two pictures differ; and a picture of where. Of other sizes they differ wholly. */
export async function difference(kept: Buffer, now: Buffer): Promise<{ share: number; where: Buffer }> {
  const [before, after] = await Promise.all(
    [kept, now].map((one) => sharp(one).ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (!before || !after) throw new Error('two pictures are compared');
  const { width, height } = after.info;
  if (before.info.width !== width || before.info.height !== height) return { share: 1, where: now };
  const marked = Buffer.alloc(after.data.length);
  const count = pixelmatch(before.data, after.data, marked, width, height, { threshold: THRESHOLD });
  const where = await sharp(marked, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { share: count / (width * height), where };
}
