import { viewOf } from './binary.ts';
import { type Box, boxAtPath, boxesIn, boxesOf } from './boxes.ts';
import { brokenContainer } from './broken-container.ts';
import type { ByteSource } from './byte-source.ts';
import type { PixelSize } from './image-size.ts';

/** Planes as decoder, container and pixels have them, all at a time: of eight bits, or of more. */
const PIXEL_BYTES = { eight: 19, more: 25 };
/** Where a coding tells that it has more than eight bits (AV1 Codec ISO Media File Format Binding section 2.3.3). */
const HIGH_BIT_DEPTH = { at: 2, bit: 0x40 };
/** Bytes of version and flags, which come before what a full box holds. */
const FULL = 4;

/**
 * Reads the largest of the spatial extents (ISO/IEC 23008-12 section 6.5.3).
 * @throws broken container when there is none, or no part is coded in AV1, which is all that can be decoded here
 */
export async function heifSize(source: ByteSource): Promise<PixelSize> {
  const properties = await propertiesOf(source);
  const codings = properties ? await boxesOf(source, properties, 'av1C') : [];
  if (!properties || codings.length === 0) throw brokenContainer('no picture in AV1');
  let pixelBytes = PIXEL_BYTES.eight;
  for (const { content } of codings) {
    const bits = (await viewOf(source, content + HIGH_BIT_DEPTH.at, 1)).getUint8(0);
    if (bits & HIGH_BIT_DEPTH.bit) pixelBytes = PIXEL_BYTES.more;
  }
  let largest = { width: 0, height: 0, pixelBytes };
  for (const extent of await boxesOf(source, properties, 'ispe')) {
    const view = await viewOf(source, extent.content + FULL, 8);
    const size = { width: view.getUint32(0), height: view.getUint32(4), pixelBytes };
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

async function propertiesOf(source: ByteSource): Promise<Box | undefined> {
  for await (const box of boxesIn(source, 0, source.size)) {
    if (box.type === 'meta') {
      const inside = { ...box, content: box.content + FULL };
      return boxAtPath(source, inside, ['iprp', 'ipco']);
    }
  }
  return undefined;
}
