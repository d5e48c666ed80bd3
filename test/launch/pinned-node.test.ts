import { delimiter, join } from 'node:path';
import t from 'tap';
import { packageEnvironment, pinnedNode } from '../../server/launch/pinned-node.js';

t.test('the pinned Node wins over the running one', async (t) => {
  const root = t.testdir({ node_modules: { '.bin': { node: '' } } });
  t.equal(pinnedNode(root, '20.0.0'), join(root, 'node_modules', '.bin', 'node'));
  t.equal(packageEnvironment(root).PATH?.split(delimiter)[0], join(root, 'node_modules', '.bin'));
});

t.test('without it the running Node is taken if it is new enough', async (t) => {
  const root = t.testdir({});
  t.equal(pinnedNode(root, '24.0.0'), process.execPath);
  t.throws(() => pinnedNode(root, '22.19.0'), {
    message: 'Node 24 or later is needed, and this is Node 22.19.0.',
  });
});
