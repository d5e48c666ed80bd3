import { viewOf } from './binary.ts';
import { brokenContainer } from './broken-container.ts';
import type { ByteSource } from './byte-source.ts';
import type { PixelSize } from './image-size.ts';

const SEGMENTS_MAX = 2000;
/** Any may come in several scans, and is held as a whole then: its coefficients, in three colours or in four. */
const PIXEL_BYTES = { three: 6.5, four: 9 };
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Markers among the frame headers that are something else. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** Reads the frame header (ITU-T T.81 section B.2.2). @throws broken container when there is none */
export async function jpegSize(source: ByteSource): Promise<PixelSize> {
  let at = 2;
  for (let count = 0; count < SEGMENTS_MAX; count += 1) {
    const marker = await viewOf(source, at, 2);
    const code = marker.getUint8(1);
    if (marker.getUint8(0) !== 0xff) break;
    if (code === 0xff) {
      at += 1;
      continue;
    }
    if (code === START_OF_SCAN || code === END_OF_IMAGE) break;
    if (code >= 0xc0 && code <= 0xcf && !NO_FRAMES.has(code)) {
      const frame = await viewOf(source, at + 5, 5);
      const pixelBytes = frame.getUint8(4) > 3 ? PIXEL_BYTES.four : PIXEL_BYTES.three;
      return { width: frame.getUint16(2), height: frame.getUint16(0), pixelBytes };
    }
    at += 2 + (await viewOf(source, at + 2, 2)).getUint16(0);
  }
  throw brokenContainer('no frame header');
}
