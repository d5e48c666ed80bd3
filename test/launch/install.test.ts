import t from 'tap';
import { missingPackages } from '../../server/launch/install.js';

const LOCK = {
  '': { version: '1.0.0' },
  'node_modules/pg': { version: '8.0.0' },
  'node_modules/vite': { version: '8.0.0', dev: true },
  'node_modules/shared': { version: '1.0.0', devOptional: true },
  'node_modules/for-windows': { version: '1.0.0', optional: true },
};
const { '': _root, 'node_modules/for-windows': _other, ...HERE } = LOCK;

t.test('nothing installed: all packages except optional ones are missing', async (t) => {
  t.strictSame(missingPackages(LOCK, undefined), [
    'node_modules/pg',
    'node_modules/vite',
    'node_modules/shared',
  ]);
});

t.test('everything for this platform installed: nothing is missing', async (t) => {
  t.strictSame(missingPackages(LOCK, HERE), []);
});

t.test('another version counts as missing', async (t) => {
  const installed = { ...HERE, 'node_modules/pg': { version: '7.9.0' } };
  t.strictSame(missingPackages(LOCK, installed), ['node_modules/pg']);
});

t.test('a production install does not miss development packages, but misses its own', async (t) => {
  t.strictSame(missingPackages(LOCK, { 'node_modules/pg': { version: '8.0.0' } }), []);
  t.strictSame(missingPackages(LOCK, { 'node_modules/x': { version: '8.0.0' } }), ['node_modules/pg']);
});
