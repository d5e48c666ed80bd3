import type { Nodes } from 'mdast';
import type { TextRun } from '../../shared/entities/text-blocks.ts';
import { siteLink } from '../../shared/site-link.ts';

type Format = Omit<TextRun, 'text' | 'src' | 'width' | 'height'>;

/** Address of a picture, and its size in pixels if known. */
export type ShownPicture = Pick<TextRun, 'width' | 'height'> & { src: string };

/** Resolves references: targets of named links, and pictures that may be shown. */
export type References = {
  linkOf: (identifier: string) => string | undefined;
  /** Undefined for a picture that is replaced by its description. */
  pictureAt: (address: string) => ShownPicture | undefined;
};

/** The text of a node as runs, each with the format of its ancestors. */
export function runsOf(node: Nodes, references: References, format: Format = {}): TextRun[] {
  const { linkOf } = references;
  const below = (own: Format): TextRun[] =>
    'children' in node
      ? node.children.flatMap((child) => runsOf(child, references, { ...format, ...own }))
      : [];
  switch (node.type) {
    case 'text':
    case 'html':
      return [{ text: node.value, ...format }];
    case 'inlineCode':
    case 'code':
      return [{ text: node.value, ...format, code: true }];
    case 'break':
      return [{ text: '\n' }];
    case 'image':
      return picture(node.alt, node.url, references, format);
    case 'imageReference':
      return picture(node.alt, linkOf(node.identifier), references, format);
    case 'tableRow':
      return node.children.flatMap((cell, place) => [
        ...(place > 0 ? [{ text: ' · ' }] : []),
        ...runsOf(cell, references, format),
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

/** A picture that may not be shown is replaced by its description. */
function picture(
  alt: string | null | undefined,
  address: string | undefined,
  { pictureAt }: References,
  format: Format,
): TextRun[] {
  const shown = address === undefined ? undefined : pictureAt(address);
  if (shown) return [{ text: alt ?? '', ...format, ...shown }];
  return alt ? [{ text: alt, ...format }] : [];
}

/** A link with a target that is not allowed becomes text. */
function linkTo(address: string | undefined): Format {
  const href = address === undefined ? null : siteLink(address);
  return href === null ? {} : { href };
}

/** The text of a node without formats. */
export function plainText(node: Nodes): string {
  return runsOf(node, { linkOf: () => undefined, pictureAt: () => undefined })
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ');
}
