import type { NodeData, Paint } from 'plugin-square-sandbox';
import type { Drawing } from './drawing.ts';
import { element } from './page.ts';

const SVG = 'http://www.w3.org/2000/svg';
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-10, 0],
  ArrowRight: [10, 0],
  ArrowUp: [0, -10],
  ArrowDown: [0, 10],
};

/** Shows a drawing and its layers, and lets the user select, move, write and delete. */
export function showDrawing(drawing: Drawing): void {
  const svg = element('drawing', SVGSVGElement);
  const layers = element('layers', HTMLElement);
  const edit = element('edit', HTMLElement);
  const characters = element('characters', HTMLInputElement);
  const remove = element('delete', HTMLButtonElement);
  const selected = () => drawing.read().nodes.filter(({ id }) => drawing.read().selection.includes(id));
  const select = (id: string | undefined) =>
    drawing.change({ kind: 'select', ids: id === undefined ? [] : [id] });
  const moveBy = (x: number, y: number) =>
    drawing.change(
      ...selected().map((node) => ({
        kind: 'set' as const,
        id: node.id,
        values: { x: node.x + x, y: node.y + y },
      })),
    );

  function show(): void {
    const { nodes } = drawing.read();
    const [only, ...others] = selected();
    const ids = new Set(drawing.read().selection);
    svg.replaceChildren(...nodes.filter(({ visible }) => visible).map((node) => drawn(node, nodes, ids)));
    layers.replaceChildren(...nodes.map((node) => layer(node, ids)));
    remove.disabled = !only;
    edit.hidden = only?.type !== 'TEXT' || others.length > 0;
    if (!edit.hidden && document.activeElement !== characters) characters.value = only?.characters ?? '';
  }

  function layer({ id, name, characters: text }: NodeData, ids: ReadonlySet<string>): HTMLLIElement {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text ? `${name}: ${text}` : name;
    button.ariaPressed = String(ids.has(id));
    button.dataset.id = id;
    item.append(button);
    return item;
  }

  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-add]'))
    button.addEventListener('click', () => {
      const { add } = button.dataset;
      if (add === 'RECTANGLE' || add === 'ELLIPSE' || add === 'TEXT') drawing.add(add);
    });
  layers.addEventListener('click', ({ target }) => {
    const { id } = target instanceof HTMLButtonElement ? target.dataset : {};
    if (id === undefined) return;
    select(id);
    // The list was drawn again.
    layers.querySelector<HTMLButtonElement>(`[data-id="${CSS.escape(id)}"]`)?.focus();
  });
  layers.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    const id = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined;
    if (!step || id === undefined) return;
    event.preventDefault();
    moveBy(...step);
    layers.querySelector<HTMLButtonElement>(`[data-id="${CSS.escape(id)}"]`)?.focus();
  });
  remove.addEventListener('click', () =>
    drawing.change(...selected().map(({ id }) => ({ kind: 'remove' as const, id }))),
  );
  characters.addEventListener('input', () =>
    drawing.change(
      ...selected().map(({ id }) => ({ kind: 'set' as const, id, values: { characters: characters.value } })),
    ),
  );
  svg.addEventListener('pointerdown', (event) => {
    const { id } = event.target instanceof SVGElement ? event.target.dataset : {};
    select(id);
    if (id !== undefined) svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    const scale = 800 / svg.clientWidth;
    if (svg.hasPointerCapture(event.pointerId)) moveBy(event.movementX * scale, event.movementY * scale);
  });
  drawing.onChange(show);
  show();
}

/** Positions are relative to the frame around a node. */
function placeOf(node: NodeData, nodes: readonly NodeData[]): { x: number; y: number } {
  const parent = nodes.find(({ id }) => id === node.parent);
  if (!parent) return node;
  const { x, y } = placeOf(parent, nodes);
  return { x: x + node.x, y: y + node.y };
}

function colorOf(paints: readonly Paint[]): string {
  const paint = paints.find(({ visible }) => visible !== false);
  if (!paint) return 'none';
  const { r, g, b } = paint.color;
  return `rgb(${[r, g, b].map((channel) => Math.round(channel * 255)).join(' ')} / ${paint.opacity ?? 1})`;
}

function drawn(node: NodeData, nodes: readonly NodeData[], ids: ReadonlySet<string>): SVGElement {
  const { x, y } = placeOf(node, nodes);
  const { id, type, width, height, rotation, opacity, fills, strokes, strokeWeight, cornerRadius = 0 } = node;
  const isSelected = ids.has(id);
  const name = type === 'TEXT' ? 'text' : type === 'ELLIPSE' ? 'ellipse' : 'rect';
  const shape = document.createElementNS(SVG, name);
  const places: Readonly<Record<typeof name, Record<string, number>>> = {
    rect: { x, y, width, height, rx: cornerRadius },
    ellipse: { cx: x + width / 2, cy: y + height / 2, rx: width / 2, ry: height / 2 },
    text: { x, y: y + (node.fontSize ?? 12), 'font-size': node.fontSize ?? 12 },
  };
  const attributes = {
    ...places[name],
    opacity,
    fill: colorOf(fills),
    stroke: isSelected ? '#d01884' : colorOf(strokes),
    'stroke-width': isSelected ? 2 : strokeWeight,
    // Counter-clockwise, as in the design tools.
    transform: `rotate(${-rotation} ${x} ${y})`,
  };
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, String(value));
  shape.dataset.id = id;
  if (type === 'TEXT') shape.textContent = node.characters ?? '';
  return shape;
}
