import t from 'tap';
import { applyChanges, type NodeData, type Snapshot } from '../../../packages/sandbox/document.ts';
import { isFrameMessage } from '../../../packages/sandbox/messages.ts';

function node(id: string, parent: string | null = null, type: NodeData['type'] = 'FRAME'): NodeData {
  return {
    ...{ id, type, parent, name: id, x: 0, y: 0, width: 10, height: 10, rotation: 0, opacity: 1 },
    ...{ visible: true, locked: false, fills: [], strokes: [], strokeWeight: 1 },
    ...(type === 'FRAME' && { cornerRadius: 0 }),
  };
}

const START: Snapshot = {
  name: 'Page',
  nodes: [node('a'), node('b', 'a'), node('c', 'b'), node('d')],
  selection: ['c', 'd'],
};
const ids = ({ nodes }: Snapshot) => nodes.map(({ id, parent }) => `${parent ?? ''}/${id}`);

t.test('changes are applied in order', async (t) => {
  const moved = applyChanges(START, [{ kind: 'move', id: 'b', parent: 'd', before: null }]);
  t.strictSame(ids(moved), ['/a', '/d', 'd/b', 'b/c'], 'with all that is inside');
  const front = applyChanges(START, [{ kind: 'move', id: 'd', parent: null, before: 'a' }]);
  t.strictSame(ids(front), ['/d', '/a', 'a/b', 'b/c']);
  const removed = applyChanges(START, [{ kind: 'remove', id: 'a' }]);
  t.strictSame([ids(removed), removed.selection], [['/d'], ['d']]);
  const made = applyChanges(START, [
    { kind: 'create', node: node('e', 'd') },
    { kind: 'set', id: 'e', values: { name: 'New', x: 5 } },
    { kind: 'select', ids: ['e'] },
  ]);
  t.match(made.nodes.at(-1), { id: 'e', parent: 'd', name: 'New', x: 5 });
  t.strictSame(made.selection, ['e']);
});

t.test('changes that do not fit the document do nothing', async (t) => {
  const after = applyChanges(START, [
    { kind: 'create', node: node('a') },
    { kind: 'create', node: node('e', 'nowhere') },
    { kind: 'move', id: 'a', parent: 'c', before: null },
    { kind: 'set', id: 'x', values: { x: 1 } },
    { kind: 'remove', id: 'x' },
    { kind: 'select', ids: ['c', 'd', 'x'] },
  ]);
  t.strictSame(after, START);
});

t.test('messages of a frame are checked', async (t) => {
  const changes = (...list: unknown[]) => ({ kind: 'changes', changes: list });
  const valid = [
    { kind: 'ready' },
    { kind: 'notify', text: 'Done', isError: false },
    changes(
      { kind: 'create', node: node('new', null, 'ELLIPSE') },
      { kind: 'set', id: 'a', values: { x: 1 } },
    ),
    changes({ kind: 'move', id: 'a', parent: null, before: 'b' }, { kind: 'select', ids: [] }),
  ];
  for (const message of valid) t.ok(isFrameMessage(message), JSON.stringify(message));
  const { name, ...nameless } = node('a');
  const invalid = [
    ...[
      null,
      'ready',
      {},
      { kind: 'toString' },
      { kind: '__proto__' },
      { kind: 'notify', text: 7, isError: false },
    ],
    { kind: 'notify', text: 'x'.repeat(501), isError: false },
    { kind: 'panel', isVisible: true, width: Number.NaN, height: 1, title: '' },
    { kind: 'refused', reason: 'other' },
    changes(...Array(1001).fill({ kind: 'remove', id: 'a' })),
    changes({ kind: 'other', id: 'a' }),
    changes({ kind: 'create', node: { ...nameless } }),
    changes({ kind: 'create', node: { ...node('a'), href: 'https://evil.example' } }),
    changes({ kind: 'create', node: { ...node('a'), type: 'SCRIPT' } }),
    changes({ kind: 'remove', id: '<script>' }),
    changes({ kind: 'set', id: 'a', values: { x: Number.POSITIVE_INFINITY } }),
    changes({ kind: 'set', id: 'a', values: { fills: [{ type: 'IMAGE', url: 'https://evil.example' }] } }),
    changes({ kind: 'set', id: 'a', values: { id: 'b' } }),
    changes({ kind: 'set', id: 'a', values: { characters: 'x'.repeat(20_001) } }),
  ];
  for (const message of invalid) t.notOk(isFrameMessage(message), JSON.stringify(message)?.slice(0, 100));
  t.equal(name, 'a');
});
