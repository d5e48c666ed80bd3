import type { Nodes } from 'mdast';
import type { TextRun } from '../../../../shared/entities/protocol.ts';
import { siteLink } from '../../../../shared/site-link.ts';

type Dress = Omit<TextRun, 'text'>;
type LinkOf = (identifier: string) => string | undefined;

/** The text below a node, piece by piece, each in the dress of what stands above it. */
export function runsOf(node: Nodes, linkOf: LinkOf, dress: Dress = {}): TextRun[] {
  const below = (own: Dress): TextRun[] =>
    'children' in node ? node.children.flatMap((child) => runsOf(child, linkOf, { ...dress, ...own })) : [];
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'html':
      return [{ text: node.value, ...dress }];
    case 'break':
      return [{ text: '\n' }];
    case 'image':
    case 'imageReference':
      return node.alt ? [{ text: node.alt, ...dress }] : [];
    case 'strong':
      return below({ strong: true });
    case 'emphasis':
      return below({ emphasis: true });
    case 'link':
      return below(linkTo(node.url));
    case 'linkReference':
      return below(linkTo(linkOf(node.identifier)));
    default:
      return below({});
  }
}

/** A link that may not lead where it wants to is text. */
function linkTo(address: string | undefined): Dress {
  const href = address === undefined ? null : siteLink(address);
  return href === null ? {} : { href };
}

/** The words of a node alone. */
export function plainText(node: Nodes): string {
  return runsOf(node, () => undefined)
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ');
}
