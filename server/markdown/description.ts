import type { TextBlock, TextRun } from '../../shared/entities/text-blocks.ts';
import { blocksOf, linesAsRuns } from './blocks.ts';

/**
 * Parses the description of a plugin: Markdown with headings of two levels, lists, quotes, code, emphasis and web links. All
 * else is shown as text: tables line by line, pictures by their description, HTML as it was written.
 * @throws RangeError for a text that is nested more deeply than `maxDepth`
 */
export function descriptionBlocksOf(markdown: string, maxDepth: number): TextBlock[] {
  const read = blocksOf(markdown, { pictureAt: () => undefined, maxDepth, keepsQuotes: true });
  return read.flatMap((block): TextBlock[] => {
    switch (block.kind) {
      case 'heading':
        // The page has a heading of level 2 above it, and its own ids.
        return [{ ...block, id: '', level: block.level === 2 ? 3 : 4, runs: block.runs.map(withWebLink) }];
      case 'list':
        return [
          { ...block, items: block.items.map((item) => ({ ...item, runs: item.runs.map(withWebLink) })) },
        ];
      case 'table':
        return [{ kind: 'paragraph', runs: linesAsRuns([block]).map(withWebLink) }];
      case 'code':
        return [block];
      case 'rule':
        return [];
      default:
        return [{ ...block, runs: block.runs.map(withWebLink) }];
    }
  });
}

/** A path of this site would lead somewhere else where the description is shown by another program. */
function withWebLink({ href, ...run }: TextRun): TextRun {
  return href === undefined || href.startsWith('/') ? run : { ...run, href };
}

/** Whether blocks link to nothing but web addresses; for blocks that this program has not read itself. */
export function hasOnlyWebLinks(blocks: readonly TextBlock[]): boolean {
  return linesAsRuns(blocks).every(
    ({ href, src }) => src === undefined && (href === undefined || /^https?:\/\//.test(href)),
  );
}

/** A description as plain text: lists as lines with dashes or numbers, addresses of links after their words. */
export function descriptionText(blocks: readonly TextBlock[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'code') return block.text;
      if (block.kind !== 'list') return lineOf(linesAsRuns([block]));
      let number = 0;
      return block.items
        .map(({ depth, runs }) => {
          const isNumbered = block.ordered && depth === 0;
          if (isNumbered) number += 1;
          return `${'  '.repeat(depth)}${isNumbered ? `${number}.` : '-'} ${lineOf(runs)}`;
        })
        .join('\n');
    })
    .join('\n\n');
}

function lineOf(runs: readonly TextRun[]): string {
  return runs
    .map(({ text, href }) => (href === undefined || isSameAddress(text, href) ? text : `${text} (${href})`))
    .join('');
}

function isSameAddress(text: string, href: string): boolean {
  return href === text || href === `${text}/`;
}
