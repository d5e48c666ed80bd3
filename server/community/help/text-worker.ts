import type { Picture } from '../../../shared/entities/plugin.ts';
import type { TextBlock } from '../../../shared/entities/text-blocks.ts';
import { pictureKeyOf, pictureUrl } from '../../../shared/media.ts';
import { blocksOf, linesOf } from '../../markdown/blocks.ts';
import type { ShownPicture } from '../../markdown/runs.ts';

/** Enough for a text column on a high-density screen. */
const PICTURE_WIDTH = 1280;

export type TextTask = {
  text: string;
  pictures: readonly Picture[];
  pictureOrigins: readonly string[];
  /** Levels of nesting. */
  maxDepth: number;
};
/** Blocks for pages and lines for the search. */
export type ReadText = { blocks: TextBlock[]; lines: string[] };

/**
 * Parses Markdown without HTML, with stored pictures and pictures of the allowed origins. Runs in a worker thread, since time
 * and stack that deep nesting takes grow faster than its length.
 * @returns undefined for a text that is nested too deeply
 */
export function readText({ text, pictures, pictureOrigins, maxDepth }: TextTask): ReadText | undefined {
  const known = new Map(pictures.map((picture) => [picture.key, picture]));
  const pictureAt = (address: string): ShownPicture | undefined => {
    const key = pictureKeyOf(address);
    const picture = key === null ? undefined : known.get(key);
    if (picture) {
      const { key, width, height, widths } = picture;
      const shown = widths.findLast((candidate) => candidate <= PICTURE_WIDTH) ?? widths[0] ?? width;
      return { src: pictureUrl(key, shown), width, height };
    }
    const isAllowed = URL.canParse(address) && pictureOrigins.includes(new URL(address).origin);
    return isAllowed ? { src: new URL(address).href } : undefined;
  };
  try {
    const blocks = blocksOf(text, { pictureAt, maxDepth });
    return { blocks, lines: linesOf(blocks) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
