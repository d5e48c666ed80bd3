import { join } from 'node:path';
import t from 'tap';
import { programEnvironment } from '../../server/launch/program-environment.js';

t.test('compiled modules are kept beside the packages', (t) => {
  const { NODE_COMPILE_CACHE } = programEnvironment('/srv/square', {});
  t.equal(NODE_COMPILE_CACHE, join('/srv/square', 'node_modules', '.cache', 'plugin-square'));
  t.end();
});

t.test('what the operator has set holds', (t) => {
  const given = { NODE_COMPILE_CACHE: '/var/cache/square', MALLOC_ARENA_MAX: '8', PORT: '80' };
  t.match(programEnvironment('/srv/square', given), { ...given, MALLOC_MMAP_THRESHOLD_: '131072' });
  t.end();
});
