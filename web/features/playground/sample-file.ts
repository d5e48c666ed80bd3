import { useTranslations } from 'use-intl';
import type { NodeData, Paint, Snapshot } from '../../../packages/sandbox/index.ts';

export const SAMPLE = { width: 480, height: 320 };

const paint = (r: number, g: number, b: number): Paint => ({ type: 'SOLID', color: { r, g, b } });
const INK = paint(0.1, 0.09, 0.07);

function node(
  id: string,
  type: NodeData['type'],
  rest: Partial<NodeData> & Pick<NodeData, 'name' | 'x' | 'y'>,
): NodeData {
  const size = { width: 0, height: 0, rotation: 0, opacity: 1, visible: true, locked: false };
  const look = { fills: [], strokes: [], strokeWeight: 1 };
  return { id, type, parent: null, ...size, ...look, ...rest };
}

/** An estimate, in parts of the font size: letters of CJK scripts are square, those of Cyrillic wider than Latin ones. */
function widthOf(character: string): number {
  if (character > '\u2e80') return 1;
  return character >= '\u0400' ? 0.7 : 0.6;
}

function text(
  id: string,
  characters: string,
  fontSize: number,
  rest: { x: number; y: number; name: string },
) {
  const width = Math.ceil([...characters].reduce((sum, one) => sum + widthOf(one), 0) * fontSize);
  const font = { characters, fontSize, fontName: { family: 'Inter', style: 'Regular' } };
  return node(id, 'TEXT', { width, height: Math.ceil(fontSize * 1.2), fills: [INK], ...font, ...rest });
}

/** The file on which visitors try plugins, in the language of the page. */
export function useSampleFile(): () => Snapshot {
  const t = useTranslations('playground');
  return () => ({
    name: t('sample'),
    nodes: [
      node('card', 'RECTANGLE', {
        ...{ name: t('layer_card'), x: 32, y: 32, width: 260, height: 168, cornerRadius: 16 },
        fills: [paint(0.88, 0.95, 0.92)],
      }),
      node('circle', 'ELLIPSE', {
        ...{ name: t('layer_circle'), x: 330, y: 56, width: 96, height: 96 },
        fills: [paint(1, 0.56, 0.25)],
      }),
      node('button', 'RECTANGLE', {
        ...{ name: t('layer_button'), x: 52, y: 136, width: 132, height: 40, cornerRadius: 12 },
        fills: [paint(0, 0.41, 0.29)],
      }),
      text('title', t('sample_title'), 24, { name: t('layer_title'), x: 52, y: 56 }),
      text('text', t('sample_text'), 14, { name: t('layer_text'), x: 52, y: 98 }),
    ],
    selection: ['card', 'title'],
  });
}
