import type { TextBlock } from '../../../shared/entities/text-blocks.ts';
import { pictureKeyOf, pictureUrl } from '../../../shared/media.ts';
import { blocksOf } from '../../markdown/blocks.ts';
import type { ShownPicture } from '../../markdown/runs.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { readPictureRows } from './store.ts';

/** Wide enough for a text column on a dense screen. */
const SHOWN_WIDTH = 1280;

/** Keys of the stored pictures that texts name, each once. */
export function picturesIn(texts: readonly string[]): string[] {
  const addresses = texts.flatMap((text) => text.match(/\/api\/cmt\/media\/[\w-]+\.webp/g) ?? []);
  return [...new Set(addresses.flatMap((address) => pictureKeyOf(address) ?? []))];
}

/**
 * What readers see of a Markdown text: pictures of our own and of the origins the deployment allows, no HTML.
 * @throws VALIDATION_FAILED at the pointer for a text nested too deeply to be read
 */
export async function articleBlocks(
  db: Db,
  body: string,
  { pictureOrigins, pointer }: { pictureOrigins: readonly string[]; pointer: string },
): Promise<TextBlock[]> {
  const known = new Map((await readPictureRows(db, picturesIn([body]))).map((row) => [row.key, row]));
  const pictureAt = (address: string): ShownPicture | undefined => {
    const key = pictureKeyOf(address);
    const picture = key === null ? undefined : known.get(key);
    if (picture) {
      const { key, width, height, widths } = picture;
      const shown = widths.findLast((candidate) => candidate <= SHOWN_WIDTH) ?? widths[0] ?? width;
      return { src: pictureUrl(key, shown), width, height };
    }
    const isAllowed = URL.canParse(address) && pictureOrigins.includes(new URL(address).origin);
    return isAllowed ? { src: new URL(address).href } : undefined;
  };
  try {
    return blocksOf(body, { pictureAt });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refusedAt(pointer, 'is nested too deeply');
  }
}
