import type { NodeData, Paint, Snapshot } from '../../../packages/sandbox/index.ts';
import styles from './playground.module.css';
import { SAMPLE } from './sample-file.ts';

/** Draws a file, with outlines around what is selected. */
export function Canvas({ file, label }: { file: Snapshot; label: string }) {
  const { x, y, width, height } = viewOf(file);
  return (
    <svg className={styles.canvas} viewBox={`${x} ${y} ${width} ${height}`} role="img" aria-label={label}>
      <Layers file={file} parent={null} />
    </svg>
  );
}

function Layers({ file, parent }: { file: Snapshot; parent: string | null }) {
  return file.nodes
    .filter((node) => node.parent === parent && node.visible)
    .map((node) => (
      <g
        key={node.id}
        opacity={node.opacity}
        transform={`translate(${node.x} ${node.y}) rotate(${-node.rotation})`}
      >
        <Shape node={node} />
        <Layers file={file} parent={node.id} />
        {file.selection.includes(node.id) && (
          <rect className={styles.selected} width={node.width} height={node.height} />
        )}
      </g>
    ));
}

function Shape({ node }: { node: NodeData }) {
  const { type, width, height, cornerRadius = 0, characters = '', fontSize = 12 } = node;
  const look = {
    fill: colorOf(node.fills),
    stroke: colorOf(node.strokes),
    strokeWidth: node.strokes.length > 0 ? node.strokeWeight : 0,
  };
  if (type === 'ELLIPSE')
    return <ellipse {...look} cx={width / 2} cy={height / 2} rx={width / 2} ry={height / 2} />;
  if (type !== 'TEXT') return <rect {...look} width={width} height={height} rx={cornerRadius} />;
  return (
    <text {...look} fontSize={fontSize} className={styles.text}>
      {characters.split('\n').map((line, index) => (
        <tspan key={`${index}:${line}`} x={0} y={fontSize * (0.95 + index * 1.2)}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

function colorOf(paints: readonly Paint[]): string {
  const top = paints.findLast(({ visible = true }) => visible);
  if (!top) return 'none';
  const { r, g, b } = top.color;
  const channels = [r, g, b].map((channel) => Math.round(channel * 255)).join(' ');
  return `rgb(${channels} / ${top.opacity ?? 1})`;
}

/** The sample's own area, and all that a plugin put beside it. */
function viewOf({ nodes }: Snapshot) {
  const outer = nodes.filter(({ parent }) => parent === null);
  const left = Math.min(0, ...outer.map(({ x }) => x));
  const top = Math.min(0, ...outer.map(({ y }) => y));
  const right = Math.max(SAMPLE.width, ...outer.map(({ x, width }) => x + width));
  const bottom = Math.max(SAMPLE.height, ...outer.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
