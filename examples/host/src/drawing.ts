import { applyChanges, type Change, type NodeData, type Paint, type Snapshot } from 'plugin-square-sandbox';

export type Shape = 'RECTANGLE' | 'ELLIPSE' | 'TEXT';

/** A document with the user's hand on it. `onChange`: after every change, by the user or a plugin. */
export type Drawing = {
  read(): Snapshot;
  /** Changes of a plugin, which the sandbox has checked. */
  apply(changes: readonly Change[]): void;
  add(type: Shape): void;
  onChange(listener: (by: 'user' | 'plugin') => void): void;
  /** Changes by the user. */
  change(...changes: Change[]): void;
};

const BLUE: Paint = { type: 'SOLID', color: { r: 0.2, g: 0.45, b: 0.9 } };
const SIZES: Readonly<Record<Shape, Pick<NodeData, 'width' | 'height'>>> = {
  RECTANGLE: { width: 160, height: 100 },
  ELLIPSE: { width: 120, height: 120 },
  TEXT: { width: 100, height: 24 },
};
const NAMES: Readonly<Record<Shape, string>> = { RECTANGLE: 'Rectangle', ELLIPSE: 'Ellipse', TEXT: 'Text' };

export function createDrawing(): Drawing {
  let snapshot: Snapshot = { name: 'Page 1', nodes: [], selection: [] };
  const listeners: ((by: 'user' | 'plugin') => void)[] = [];
  const changed = (by: 'user' | 'plugin', changes: readonly Change[]): void => {
    snapshot = applyChanges(snapshot, changes);
    for (const listener of listeners) listener(by);
  };
  return {
    read: () => snapshot,
    apply: (changes) => changed('plugin', changes),
    change: (...changes) => changed('user', changes),
    onChange: (listener) => void listeners.push(listener),
    add(type) {
      const id = crypto.randomUUID();
      const place = 40 + 20 * (snapshot.nodes.length % 15);
      const node: NodeData = {
        ...{ id, type, parent: null, name: NAMES[type], x: place, y: place, ...SIZES[type] },
        ...{
          rotation: 0,
          opacity: 1,
          visible: true,
          locked: false,
          fills: [BLUE],
          strokes: [],
          strokeWeight: 1,
        },
        ...(type === 'TEXT' && { characters: 'Text', fontSize: 20 }),
      };
      changed('user', [
        { kind: 'create', node },
        { kind: 'select', ids: [id] },
      ]);
    },
  };
}
