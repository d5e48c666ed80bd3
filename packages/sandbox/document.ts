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

/** The nodes by their ids, in their order, and the selection, while changes are applied. */
type Draft = { nodes: Map<string, NodeData>; selection: readonly string[] };

/** The document after changes. Changes of nodes that are no longer there do nothing. */
export function applyChanges(snapshot: Snapshot, changes: readonly Change[]): Snapshot {
  // One copy for all: with a copy each, a plugin that makes many nodes would stop the host.
  const draft = {
    nodes: new Map(snapshot.nodes.map((node) => [node.id, node])),
    selection: snapshot.selection,
  };
  for (const change of changes) applyChange(draft, change);
  return { ...snapshot, nodes: [...draft.nodes.values()], selection: draft.selection };
}

function applyChange(draft: Draft, change: Change): void {
  const { nodes } = draft;
  if (change.kind === 'select') {
    draft.selection = change.ids.filter((id) => nodes.has(id));
    return;
  }
  if (change.kind === 'create') {
    const { id, parent } = change.node;
    if (!nodes.has(id) && isFrame(nodes, parent)) nodes.set(id, change.node);
    return;
  }
  const node = nodes.get(change.id);
  if (!node) return;
  if (change.kind === 'set') nodes.set(node.id, { ...node, ...change.values });
  else if (change.kind === 'move') move(draft, node, change);
  else {
    const inside = withDescendants(nodes, node.id);
    for (const id of inside) nodes.delete(id);
    draft.selection = draft.selection.filter((id) => !inside.has(id));
  }
}

function move(
  draft: Draft,
  node: NodeData,
  { parent, before }: { parent: string | null; before: string | null },
): void {
  const inside = withDescendants(draft.nodes, node.id);
  if ((parent !== null && inside.has(parent)) || !isFrame(draft.nodes, parent)) return;
  const all = [...draft.nodes.values()];
  const rest = all.filter(({ id }) => !inside.has(id));
  const subtree = all
    .filter(({ id }) => inside.has(id))
    .map((one) => (one === node ? { ...one, parent } : one));
  const found = rest.findIndex((one) => one.id === before && one.parent === parent);
  const at = found < 0 ? rest.length : found;
  const ordered = [...rest.slice(0, at), ...subtree, ...rest.slice(at)];
  draft.nodes = new Map(ordered.map((one) => [one.id, one]));
}

function isFrame(nodes: ReadonlyMap<string, NodeData>, id: string | null): boolean {
  return id === null || nodes.get(id)?.type === 'FRAME';
}

function withDescendants(nodes: ReadonlyMap<string, NodeData>, id: string): Set<string> {
  const inside = new Set([id]);
  // Parents come before their children.
  for (const node of nodes.values()) if (node.parent !== null && inside.has(node.parent)) inside.add(node.id);
  return inside;
}
