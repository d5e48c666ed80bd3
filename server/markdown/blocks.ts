import type { Definition, List, ListItem, Root, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { TextBlock, TextItem, TextRun } from '../../shared/entities/text-blocks.ts';
import { plainText, runsOf, type Surrounding } from './runs.ts';

type Options = Pick<Surrounding, 'pictureAt'>;

const NO_PICTURES: Options = { pictureAt: () => undefined };

const TABLES = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] };

/**
 * A Markdown text (CommonMark, with the tables of GFM) as blocks that hold text alone: HTML in it is text like any other, its comments are left
 * out, pictures that may not be shown stand by their description, and links lead only where a link of this site may.
 */
export function blocksOf(markdown: string, options = NO_PICTURES): TextBlock[] {
  const { children } = parsed(markdown);
  return blocksIn(children, children, options);
}

/** The same of a text that begins with its title; null for one without. */
export function titledBlocksOf(markdown: string): { title: string | null; blocks: TextBlock[] } {
  const { children } = parsed(markdown);
  const [first, ...rest] = children;
  const hasTitle = first?.type === 'heading' && first.depth === 1;
  return {
    title: hasTitle ? plainText(first) : null,
    blocks: blocksIn(hasTitle ? rest : children, children, NO_PICTURES),
  };
}

/** The words of blocks: a line each, as people read them; of pictures what describes them. */
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
  return lines.map((words) => words.replace(/\s+/g, ' ').trim()).filter((words) => words !== '');
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
  const surrounding = { ...options, linkOf: (identifier: string) => definitions.get(identifier) };
  return numbered(nodes.flatMap((node) => blocks(node, surrounding)));
}

function blocks(node: RootContent, surrounding: Surrounding): TextBlock[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', level: levelOf(node.depth), id: '', runs: runsOf(node, surrounding) }];
    case 'paragraph':
      return [{ kind: 'paragraph', runs: runsOf(node, surrounding) }];
    case 'list':
      return [{ kind: 'list', ordered: node.ordered === true, items: itemsOf(node, 0, surrounding) }];
    case 'blockquote':
      return node.children.flatMap((child) => blocks(child, surrounding));
    case 'thematicBreak':
      return [{ kind: 'rule' }];
    case 'table':
      return [tableOf(node, surrounding)];
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

/** The page has its own heading above all. */
function levelOf(depth: number): 2 | 3 | 4 {
  return depth <= 2 ? 2 : depth === 3 ? 3 : 4;
}

function tableOf({ align, children }: Table, surrounding: Surrounding): TextBlock {
  const [head = [], ...rows] = children.map((row) => row.children.map((cell) => runsOf(cell, surrounding)));
  return {
    kind: 'table',
    align: head.map((_, column) => align?.[column] ?? null),
    head,
    rows: rows.map((cells) => cells.slice(0, head.length)),
  };
}

function itemsOf(list: List, depth: number, surrounding: Surrounding): TextItem[] {
  return list.children.flatMap((item) => {
    const nested = item.children.filter((child) => child.type === 'list');
    return [
      { depth, runs: joined(item, surrounding) },
      ...nested.flatMap((child) => itemsOf(child, Math.min(depth + 1, 1), surrounding)),
    ];
  });
}

/** Paragraphs of one entry follow one another line by line, and so do the rows of a table. */
function joined({ children }: ListItem, surrounding: Surrounding): TextRun[] {
  const lines = children.flatMap((child): RootContent[] =>
    child.type === 'table' ? child.children : [child],
  );
  const parts = lines.filter(({ type }) => ['paragraph', 'heading', 'code', 'tableRow'].includes(type));
  return parts.flatMap((part, index) => [
    ...(index > 0 ? [{ text: '\n' }] : []),
    ...runsOf(part, surrounding),
  ]);
}

/** Ids that stay the same while the order of the headings does. */
function numbered(all: TextBlock[]): TextBlock[] {
  let count = 0;
  return all.map((block) => {
    if (block.kind !== 'heading') return block;
    count += 1;
    return { ...block, id: `section-${count}` };
  });
}
