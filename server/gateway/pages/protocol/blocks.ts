import type { Definition, List, ListItem, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Protocol, TextBlock, TextItem, TextRun } from '../../../../shared/entities/protocol.ts';
import type { Language } from '../../../../shared/languages.ts';
import { plainText, runsOf } from './runs.ts';

type Link = (identifier: string) => string | undefined;

/**
 * A Markdown text (CommonMark) as blocks that hold text alone: HTML in it is text like any other, its comments are left
 * out, pictures stand by their description, and links lead only where a link of this site may.
 */
export function protocolOf(markdown: string, lang: Language): Protocol {
  const { children } = fromMarkdown(markdown);
  const definitions = new Map(
    children
      .filter((node): node is Definition => node.type === 'definition')
      .map(({ identifier, url }) => [identifier, url]),
  );
  const link: Link = (identifier) => definitions.get(identifier);
  const [first, ...rest] = children;
  const hasTitle = first?.type === 'heading' && first.depth === 1;
  const blocks = (hasTitle ? rest : children).flatMap((node) => blocksOf(node, link));
  return { lang, title: hasTitle ? plainText(first) : null, blocks: numbered(blocks) };
}

function blocksOf(node: RootContent, link: Link): TextBlock[] {
  switch (node.type) {
    case 'heading':
      return [{ kind: 'heading', level: levelOf(node.depth), id: '', runs: runsOf(node, link) }];
    case 'paragraph':
      return [{ kind: 'paragraph', runs: runsOf(node, link) }];
    case 'list':
      return [{ kind: 'list', ordered: node.ordered === true, items: itemsOf(node, 0, link) }];
    case 'blockquote':
      return node.children.flatMap((child) => blocksOf(child, link));
    case 'thematicBreak':
      return [{ kind: 'rule' }];
    case 'code':
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

function itemsOf(list: List, depth: number, link: Link): TextItem[] {
  return list.children.flatMap((item) => {
    const nested = item.children.filter((child) => child.type === 'list');
    return [
      { depth, runs: joined(item, link) },
      ...nested.flatMap((child) => itemsOf(child, Math.min(depth + 1, 1), link)),
    ];
  });
}

/** Paragraphs of one entry follow one another line by line. */
function joined({ children }: ListItem, link: Link): TextRun[] {
  const parts = children.filter(({ type }) => type === 'paragraph' || type === 'heading');
  return parts.flatMap((part, index) => [...(index > 0 ? [{ text: '\n' }] : []), ...runsOf(part, link)]);
}

/** Ids that stay the same while the order of the headings does. */
function numbered(blocks: TextBlock[]): TextBlock[] {
  let count = 0;
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block;
    count += 1;
    return { ...block, id: `section-${count}` };
  });
}
