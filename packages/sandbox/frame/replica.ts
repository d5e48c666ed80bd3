import type { Change, NodeData, NodeType, Snapshot } from '../document.ts';
import type { Checks } from './checks.ts';

/** A node as `main` sees it. */
type PluginNode = Record<string, unknown>;

export type Replica = {
  page: PluginNode;
  create(type: NodeType): PluginNode;
  find(id: string): PluginNode | null;
  /** Takes the document of the host. @returns whether another selection came with it */
  replace(snapshot: Snapshot): boolean;
};

type Options = {
  checks: Checks;
  snapshot: Snapshot;
  /** Told of each change. */
  change(change: Change): void;
  /** Told the name of what plugins of design tools have and this sandbox has not. */
  unsupported(name: string): void;
};

/**
 * The document in the worker of `main`, which reads and writes it without waiting, as in the design tools. Its source is part of
 * the frame, so it refers to nothing outside of itself.
 */
export function createReplica({ checks, snapshot, change, unsupported }: Options): Replica {
  /** Asked of any object by the language itself. */
  const SILENT: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor', 'valueOf', 'toString']);
  const nodes = new Map<string, NodeData>();
  const proxies = new Map<string, PluginNode>();
  /** Ids of a parent's children, the top one last; the page's parent is null. */
  const children = new Map<string | null, string[]>();
  let selection: readonly string[] = [];
  let name = '';

  /** `randomUUID` is not there on plain http. */
  const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
  const childrenOf = (parent: string | null): string[] => {
    const ids = children.get(parent) ?? [];
    children.set(parent, ids);
    return ids;
  };
  const add = (data: NodeData): PluginNode => {
    nodes.set(data.id, data);
    childrenOf(data.parent).push(data.id);
    return proxyOf(data);
  };
  const descendantsOf = (parent: string | null): NodeData[] =>
    childrenOf(parent).flatMap((id) => {
      const data = nodes.get(id);
      return data ? [data, ...descendantsOf(id)] : [];
    });
  const load = (loaded: Snapshot): void => {
    // What the plugin holds on to stays the same node.
    const former = new Map(nodes);
    nodes.clear();
    children.clear();
    for (const data of loaded.nodes) add(Object.assign(former.get(data.id) ?? {}, data));
    ({ selection, name } = loaded);
  };
  const idOf = (node: unknown): string => {
    const id = typeof node === 'object' && node !== null && 'id' in node ? node.id : undefined;
    if (typeof id !== 'string' || !nodes.has(id)) throw new TypeError('This is not a node of the document');
    return id;
  };
  const set = (data: NodeData, values: Partial<NodeData>): void => {
    Object.assign(data, values);
    change({ kind: 'set', id: data.id, values: structuredClone(values) });
  };

  /** An estimate: a worker has no layout. */
  const fit = (data: NodeData): void => {
    const { characters = '', fontSize = 12 } = data;
    const lines = characters.split('\n');
    const widthOf = (line: string): number =>
      [...line].reduce((sum, character) => sum + (character > '\u2e80' ? 1 : 0.6), 0);
    const width = Math.ceil(Math.max(...lines.map(widthOf)) * fontSize);
    set(data, { width, height: Math.ceil(lines.length * fontSize * 1.2) });
  };

  const move = (data: NodeData, parent: string | null, index: number): void => {
    for (let at = parent; at !== null; at = nodes.get(at)?.parent ?? null)
      if (at === data.id) throw new TypeError('A node cannot be inside itself');
    const former = childrenOf(data.parent);
    former.splice(former.indexOf(data.id), 1);
    const ids = childrenOf(parent);
    const before = ids[index] ?? null;
    ids.splice(before === null ? ids.length : index, 0, data.id);
    data.parent = parent;
    change({ kind: 'move', id: data.id, parent, before });
  };

  const copy = (data: NodeData, parent: string | null): PluginNode => {
    const twin = { ...structuredClone(data), id: newId(), parent };
    const proxy = add(twin);
    change({ kind: 'create', node: structuredClone(twin) });
    for (const id of [...childrenOf(data.id)]) {
      const child = nodes.get(id);
      if (child) copy(child, twin.id);
    }
    return proxy;
  };

  const remove = (data: NodeData): void => {
    const ids = childrenOf(data.parent);
    ids.splice(ids.indexOf(data.id), 1);
    for (const { id } of [data, ...descendantsOf(data.id)]) nodes.delete(id);
    selection = selection.filter((id) => nodes.has(id));
    change({ kind: 'remove', id: data.id });
  };

  const childNodesOf = (id: string | null): PluginNode[] =>
    childrenOf(id).flatMap((child): PluginNode[] => {
      const node = proxyById(child);
      return node ? [node] : [];
    });
  type Test = (node: PluginNode) => unknown;
  /** What pages and frames have. */
  const methodsOf = (id: string | null) => ({
    appendChild: (node: unknown) => insert(id, node, childrenOf(id).length),
    insertChild: (index: number, node: unknown) => insert(id, node, index),
    findAll: (test: Test = () => true) => descendantsOf(id).map(proxyOf).filter(test),
    findOne: (test: Test) => descendantsOf(id).map(proxyOf).find(test) ?? null,
    findChildren: (test: Test = () => true) => childNodesOf(id).filter(test),
  });
  const insert = (parent: string | null, node: unknown, index: number): void => {
    const data = nodes.get(idOf(node));
    if (data) move(data, parent, index);
  };
  const proxyById = (id: string): PluginNode | undefined => {
    const data = nodes.get(id);
    return data && proxyOf(data);
  };

  /** An object whose unknown properties are reported; setters and getters are those of `properties`. */
  const reporting = (kind: string, properties: PropertyDescriptorMap): PluginNode =>
    new Proxy<PluginNode>(Object.defineProperties({}, properties), {
      get(target, key) {
        if (typeof key === 'string' && !(key in target) && !SILENT.has(key)) unsupported(`${kind}.${key}`);
        return Reflect.get(target, key);
      },
      set(target, key, value) {
        if (typeof key === 'string' && !(key in target)) unsupported(`${kind}.${key}`);
        return Reflect.set(target, key, value);
      },
    });
  const constant = (value: unknown): PropertyDescriptor => ({ value, enumerable: true });
  const getter = (get: () => unknown): PropertyDescriptor => ({ get, enumerable: true });
  const membersOf = (id: string | null): PropertyDescriptorMap => {
    const methods = Object.entries(methodsOf(id)).map(([key, value]) => [key, constant(value)] as const);
    return { ...Object.fromEntries(methods), children: getter(() => childNodesOf(id)) };
  };

  const property = (data: NodeData, key: string): PropertyDescriptor => ({
    enumerable: true,
    get: () => structuredClone(Reflect.get(data, key)),
    // Sizes of texts follow from their font.
    set: (value: unknown) => {
      if (!checks.isValue(data.type, key, value))
        throw new TypeError(`${data.type}.${key} cannot be ${JSON.stringify(value)}`);
      set(data, { [key]: structuredClone(value) });
      if (data.type === 'TEXT' && (key === 'characters' || key === 'fontSize')) fit(data);
    },
  });

  const proxyOf = (data: NodeData): PluginNode => {
    const { id, type } = data;
    const known = proxies.get(id);
    if (known && nodes.get(id) === data) return known;
    const resize = (width: number, height: number): void => {
      if (!checks.isValue(type, 'width', width) || !checks.isValue(type, 'height', height))
        throw new TypeError(`${type} cannot have this size`);
      set(data, { width, height });
    };
    const settable = checks.namesOf(type).map((key) => [key, property(data, key)] as const);
    const proxy = reporting(type, {
      ...Object.fromEntries(settable),
      ...(type === 'FRAME' && membersOf(id)),
      id: constant(id),
      type: constant(type),
      parent: getter(() => (data.parent === null ? page : (proxyById(data.parent) ?? null))),
      removed: getter(() => nodes.get(id) !== data),
      resize: constant(resize),
      clone: constant(() => copy(data, null)),
      remove: constant(() => remove(data)),
    });
    proxies.set(id, proxy);
    return proxy;
  };

  const page = reporting('PAGE', {
    ...membersOf(null),
    id: constant('page'),
    type: constant('PAGE'),
    name: getter(() => name),
    selection: {
      enumerable: true,
      get: () => selection.flatMap((id) => proxyById(id) ?? []),
      set: (value: readonly unknown[]) => {
        selection = value.map(idOf);
        change({ kind: 'select', ids: selection });
      },
    },
  });

  load(snapshot);
  return {
    page,
    create(type) {
      const isText = type === 'TEXT';
      const grey = isText ? 0 : type === 'FRAME' ? 1 : 0.85;
      const size = isText ? { width: 0, height: 15 } : { width: 100, height: 100 };
      const data: NodeData = {
        ...{ id: newId(), type, parent: null },
        name: `${type.charAt(0)}${type.slice(1).toLowerCase()}`,
        ...{ x: 0, y: 0, ...size, rotation: 0, opacity: 1, visible: true, locked: false },
        fills: [{ type: 'SOLID', color: { r: grey, g: grey, b: grey } }],
        ...{ strokes: [], strokeWeight: 1 },
        ...((type === 'FRAME' || type === 'RECTANGLE') && { cornerRadius: 0 }),
        ...(isText && { characters: '', fontSize: 12, fontName: { family: 'Inter', style: 'Regular' } }),
      };
      const proxy = add(data);
      change({ kind: 'create', node: structuredClone(data) });
      return proxy;
    },
    find: (id) => proxyById(id) ?? null,
    replace(loaded) {
      const former = selection.join();
      load(loaded);
      return selection.join() !== former;
    },
  };
}
