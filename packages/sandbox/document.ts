/** A colour with channels from 0 to 1. */
export type Color = { r: number; g: number; b: number };

export type Paint = { type: 'SOLID'; color: Color; opacity?: number; visible?: boolean };

/** What a shape or text has besides its place in the document. Lengths are in pixels, angles in degrees. */
export type Properties = {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: number;
  opacity: number;
  visible: boolean;
  locked: boolean;
  fills: Paint[];
  strokes: Paint[];
  strokeWeight: number;
  /** Frames and rectangles only. */
  cornerRadius?: number;
  /** Texts only, like the font. */
  characters?: string;
  fontSize?: number;
  fontName?: { family: string; style: string };
};

export type NodeType = 'FRAME' | 'RECTANGLE' | 'ELLIPSE' | 'TEXT';

/** `parent`: the id of a frame, to which `x` and `y` are relative; null for the page. */
export type NodeData = { id: string; type: NodeType; parent: string | null } & Properties;

/** A page of a document. A node is drawn above those before it, and after its parent. */
export type Snapshot = { name: string; nodes: readonly NodeData[]; selection: readonly string[] };

/** What a plugin did to the document, in order. `before`: the sibling above which it is not drawn; null for the top. */
export type Change =
  | { kind: 'create'; node: NodeData }
  | { kind: 'set'; id: string; values: Partial<Properties> }
  | { kind: 'move'; id: string; parent: string | null; before: string | null }
  | { kind: 'remove'; id: string }
  | { kind: 'select'; ids: readonly string[] };

/** The document after changes. Changes of nodes that are no longer there do nothing. */
export function applyChanges(snapshot: Snapshot, changes: readonly Change[]): Snapshot {
  return changes.reduce(applyChange, snapshot);
}

function applyChange(snapshot: Snapshot, change: Change): Snapshot {
  const { nodes, selection } = snapshot;
  if (change.kind === 'select') {
    const ids = new Set(nodes.map(({ id }) => id));
    return { ...snapshot, selection: change.ids.filter((id) => ids.has(id)) };
  }
  if (change.kind === 'create') {
    const { id, parent } = change.node;
    const isNew = !nodes.some((node) => node.id === id);
    return isNew && isFrame(nodes, parent) ? { ...snapshot, nodes: [...nodes, change.node] } : snapshot;
  }
  const node = nodes.find(({ id }) => id === change.id);
  if (!node) return snapshot;
  if (change.kind === 'set') {
    const changed = { ...node, ...change.values };
    return { ...snapshot, nodes: nodes.map((one) => (one === node ? changed : one)) };
  }
  const inside = withDescendants(nodes, node.id);
  const rest = nodes.filter(({ id }) => !inside.has(id));
  if (change.kind === 'remove')
    return { ...snapshot, nodes: rest, selection: selection.filter((id) => !inside.has(id)) };
  const { parent, before } = change;
  if (!isFrame(rest, parent)) return snapshot;
  const moved = nodes.filter(({ id }) => inside.has(id));
  const subtree = moved.map((one) => (one === node ? { ...one, parent } : one));
  const found = rest.findIndex((one) => one.id === before && one.parent === parent);
  const at = found < 0 ? rest.length : found;
  return { ...snapshot, nodes: [...rest.slice(0, at), ...subtree, ...rest.slice(at)] };
}

function isFrame(nodes: readonly NodeData[], id: string | null): boolean {
  return id === null || nodes.some((node) => node.id === id && node.type === 'FRAME');
}

function withDescendants(nodes: readonly NodeData[], id: string): Set<string> {
  const inside = new Set([id]);
  // Parents come before their children.
  for (const node of nodes) if (node.parent !== null && inside.has(node.parent)) inside.add(node.id);
  return inside;
}
