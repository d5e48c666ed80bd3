import type { Texts } from '../../../../shared/languages.ts';
import { descriptionBlocksOf, descriptionText } from '../../../markdown/description.ts';
import type { ReadDescription } from '../../descriptions.ts';

export type DescriptionTask = { texts: Texts; maxDepth: number };

/**
 * Reads descriptions in Markdown. Runs in a worker thread, since time and stack that deep nesting takes grow faster than its
 * length.
 * @returns the languages that are nested too deeply among those that could be read
 */
export function readDescriptions({
  texts,
  maxDepth,
}: DescriptionTask): Record<string, ReadDescription | null> {
  return Object.fromEntries(
    Object.entries(texts).map(([language, source]) => [language, readOne(source, maxDepth)]),
  );
}

function readOne(source: string, maxDepth: number): ReadDescription | null {
  try {
    const blocks = descriptionBlocksOf(source, maxDepth);
    return { source, blocks, text: descriptionText(blocks) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
