/** A block of plain text: lines of a paragraph, or items of a list. */
export type TextBlock = { kind: 'paragraph' | 'bullets' | 'numbers'; lines: string[] };

const BULLET = /^\s*[-*•·–]\s+/;
const NUMBER = /^\s*\d{1,3}(?:[.)]\s+|、\s*)/;

/** Splits plain text into paragraphs and lists: blank lines separate, "-" and "1." start items. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: TextBlock | undefined;
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (line.trim() === '') {
      open = undefined;
      continue;
    }
    const kind = BULLET.test(line) ? 'bullets' : NUMBER.test(line) ? 'numbers' : 'paragraph';
    if (open?.kind !== kind) {
      open = { kind, lines: [] };
      blocks.push(open);
    }
    open.lines.push(line.replace(kind === 'bullets' ? BULLET : kind === 'numbers' ? NUMBER : '', '').trim());
  }
  return blocks;
}
