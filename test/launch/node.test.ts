import { delimiter, join } from 'node:path';
import t from 'tap';
import { packageEnvironment, pinnedNode, programEnvironment } from '../../server/launch/node.js';

t.test('the pinned Node takes precedence over the running one', async (t) => {
  const root = t.testdir({ node_modules: { '.bin': { node: '' } } });
  t.equal(pinnedNode(root, '20.0.0'), join(root, 'node_modules', '.bin', 'node'));
  t.equal(packageEnvironment(root).PATH?.split(delimiter)[0], join(root, 'node_modules', '.bin'));
});

t.test('without it the running Node is used if it is new enough', async (t) => {
  const root = t.testdir({});
  t.equal(pinnedNode(root, '24.0.0'), process.execPath);
  t.throws(() => pinnedNode(root, '22.19.0'), {
    message: 'Node 24 or later is needed, and this is Node 22.19.0.',
  });
});

t.test('compiled modules are cached in node_modules', (t) => {
  const { NODE_COMPILE_CACHE } = programEnvironment('/srv/square', {});
  t.equal(NODE_COMPILE_CACHE, join('/srv/square', 'node_modules', '.cache', 'plugin-square'));
  t.end();
});

t.test('variables of the operator take precedence', (t) => {
  const given = { NODE_COMPILE_CACHE: '/var/cache/square', MALLOC_ARENA_MAX: '8', PORT: '80' };
  t.match(programEnvironment('/srv/square', given), { ...given, MALLOC_MMAP_THRESHOLD_: '131072' });
  t.end();
});
