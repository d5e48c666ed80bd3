import type { Nodes } from 'mdast';
import type { TextRun } from '../../shared/entities/text-blocks.ts';
import { siteLink } from '../../shared/site-link.ts';

type Dress = Omit<TextRun, 'text' | 'src' | 'width' | 'height'>;

/** What of a picture is shown: its address, and its size in pixels where that is known. */
export type ShownPicture = Pick<TextRun, 'width' | 'height'> & { src: string };

/** What a text leaves open: where its named links lead, and which pictures it may show. */
export type Surrounding = {
  linkOf: (identifier: string) => string | undefined;
  /** Undefined for a picture that stands by its description alone. */
  pictureAt: (address: string) => ShownPicture | undefined;
};

/** The text below a node, piece by piece, each in the dress of what stands above it. */
export function runsOf(node: Nodes, surrounding: Surrounding, dress: Dress = {}): TextRun[] {
  const { linkOf } = surrounding;
  const below = (own: Dress): TextRun[] =>
    'children' in node
      ? node.children.flatMap((child) => runsOf(child, surrounding, { ...dress, ...own }))
      : [];
  switch (node.type) {
    case 'text':
    case 'html':
      return [{ text: node.value, ...dress }];
    case 'inlineCode':
    case 'code':
      return [{ text: node.value, ...dress, code: true }];
    case 'break':
      return [{ text: '\n' }];
    case 'image':
      return picture(node.alt, node.url, surrounding, dress);
    case 'imageReference':
      return picture(node.alt, linkOf(node.identifier), surrounding, dress);
    case 'tableRow':
      return node.children.flatMap((cell, place) => [
        ...(place > 0 ? [{ text: ' · ' }] : []),
        ...runsOf(cell, surrounding, dress),
      ]);
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

/** A picture that may not be shown is its description. */
function picture(
  alt: string | null | undefined,
  address: string | undefined,
  { pictureAt }: Surrounding,
  dress: Dress,
): TextRun[] {
  const shown = address === undefined ? undefined : pictureAt(address);
  if (shown) return [{ text: alt ?? '', ...dress, ...shown }];
  return alt ? [{ text: alt, ...dress }] : [];
}

/** A link that may not lead where it wants to is text. */
function linkTo(address: string | undefined): Dress {
  const href = address === undefined ? null : siteLink(address);
  return href === null ? {} : { href };
}

/** The words of a node alone. */
export function plainText(node: Nodes): string {
  return runsOf(node, { linkOf: () => undefined, pictureAt: () => undefined })
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ');
}
