import type { Definition, List, ListItem, Root, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { TextBlock, TextItem, TextRun } from '../../shared/entities/text-blocks.ts';
import { plainText, type References as RunReferences, runsOf } from './runs.ts';

type References = RunReferences & { keepsQuotes?: boolean };

type Options = Pick<References, 'pictureAt'> & {
  /** Levels of nesting; a list in a list has two more. */
  maxDepth?: number;
  /** Quotes stay blocks of their own; else what they hold stands among the rest. */
  keepsQuotes?: boolean;
};

const NO_PICTURES: Options = { pictureAt: () => undefined };

const TABLES = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] };

/**
 * Parses Markdown (CommonMark, with the tables of GFM) into blocks of text. HTML is treated as text and its comments are
 * left out; pictures that may not be shown are replaced by their description, and only allowed links remain links.
 * @throws RangeError for a text that is nested more deeply than `maxDepth`, or than the stack allows
 */
export function blocksOf(markdown: string, options = NO_PICTURES): TextBlock[] {
  const { children } = parsed(markdown);
  if (depthOf(children) > (options.maxDepth ?? Number.POSITIVE_INFINITY)) throw new RangeError('too deep');
  return blocksIn(children, children, options);
}

/** The same for a text that starts with its title; `title` is null if it does not. */
export function titledBlocksOf(markdown: string): { title: string | null; blocks: TextBlock[] } {
  const { children } = parsed(markdown);
  const [first, ...rest] = children;
  const hasTitle = first?.type === 'heading' && first.depth === 1;
  return {
    title: hasTitle ? plainText(first) : null,
    blocks: blocksIn(hasTitle ? rest : children, children, NO_PICTURES),
  };
}

/** The lines of blocks as one piece of text, with the formats of their words. */
export function linesAsRuns(blocks: readonly TextBlock[]): TextRun[] {
  const lines = blocks.flatMap((block): (readonly TextRun[])[] => {
    switch (block.kind) {
      case 'list':
        return block.items.map(({ runs }) => runs);
      case 'table':
        return [block.head, ...block.rows].map((cells) =>
          cells.flatMap((runs, column) => [...(column > 0 ? [{ text: ' · ' }] : []), ...runs]),
        );
      case 'code':
        return [[{ text: block.text, code: true }]];
      case 'rule':
        return [];
      default:
        return [block.runs];
    }
  });
  return lines.flatMap((runs, line) => [...(line > 0 ? [{ text: '\n' }] : []), ...runs]);
}

/** The text of blocks, line by line; pictures by their description. */
export function linesOf(blocks: readonly TextBlock[]): string[] {
  const line = (runs: readonly TextRun[]): string => runs.map(({ text }) => text).join('');
  const lines = blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case 'list':
        return block.items.map(({ runs }) => line(runs));
      case 'table':
        return [block.head, ...block.rows].map((cells) => cells.map(line).join(' · '));
      case 'code':
        return block.text.split('\n');
      case 'rule':
        return [];
      default:
        return [line(block.runs)];
    }
  });
  return lines.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
}

function depthOf(nodes: readonly RootContent[]): number {
  let depth = 0;
  for (let level = nodes; level.length > 0; depth += 1)
    level = level.flatMap((node): readonly RootContent[] => ('children' in node ? node.children : []));
  return depth;
}

function parsed(markdown: string): Root {
  return fromMarkdown(markdown, TABLES);
}

function blocksIn(nodes: readonly RootContent[], all: readonly RootContent[], options: Options): TextBlock[] {
  const definitions = new Map(
    all
      .filter((node): node is Definition => node.type === 'definition')
      .map(({ identifier, url }) => [identifier, url]),
  );
  const references = { ...options, linkOf: (identifier: string) => definitions.get(identifier) };
  return withHeadingIds(nodes.flatMap((node) => blocks(node, references)));
}

function blocks(node: RootContent, references: References): TextBlock[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', level: levelOf(node.depth), id: '', runs: runsOf(node, references) }];
    case 'paragraph':
      return [{ kind: 'paragraph', runs: runsOf(node, references) }];
    case 'list':
      return [{ kind: 'list', ordered: node.ordered === true, items: itemsOf(node, 0, references) }];
    case 'blockquote': {
      const quoted = node.children.flatMap((child) => blocks(child, references));
      return references.keepsQuotes ? [{ kind: 'quote', runs: linesAsRuns(quoted) }] : quoted;
    }
    case 'thematicBreak':
      return [{ kind: 'rule' }];
    case 'table':
      return [tableOf(node, references)];
    case 'code':
      return [{ kind: 'code', text: node.value }];
    case 'html':
      return isComment(node.value) ? [] : [{ kind: 'paragraph', runs: [{ text: node.value }] }];
    default:
      return [];
  }
}

function isComment(text: string): boolean {
  return /^<!--[\s\S]*-->\s*$/.test(text);
}

/** Level 1 is the heading of the page. */
function levelOf(depth: number): 2 | 3 | 4 {
  return depth <= 2 ? 2 : depth === 3 ? 3 : 4;
}

function tableOf({ align, children }: Table, references: References): TextBlock {
  const [head = [], ...rows] = children.map((row) => row.children.map((cell) => runsOf(cell, references)));
  return {
    kind: 'table',
    align: head.map((_, column) => align?.[column] ?? null),
    head,
    rows: rows.map((cells) => cells.slice(0, head.length)),
  };
}

function itemsOf(list: List, depth: number, references: References): TextItem[] {
  return list.children.flatMap((item) => {
    const nested = item.children.filter((child) => child.type === 'list');
    return [
      { depth, runs: joined(item, references) },
      ...nested.flatMap((child) => itemsOf(child, Math.min(depth + 1, 1), references)),
    ];
  });
}

/** Joins the paragraphs and table rows of a list item by line breaks. */
function joined({ children }: ListItem, references: References): TextRun[] {
  const lines = children.flatMap((child): RootContent[] =>
    child.type === 'table' ? child.children : [child],
  );
  const parts = lines.filter(({ type }) => ['paragraph', 'heading', 'code', 'tableRow'].includes(type));
  return parts.flatMap((part, index) => [
    ...(index > 0 ? [{ text: '\n' }] : []),
    ...runsOf(part, references),
  ]);
}

/** Numbers the headings: their ids do not depend on their texts. */
function withHeadingIds(all: TextBlock[]): TextBlock[] {
  let count = 0;
  return all.map((block) => {
    if (block.kind !== 'heading') return block;
    count += 1;
    return { ...block, id: `section-${count}` };
  });
}
