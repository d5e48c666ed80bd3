import t from 'tap';
import { sharedBuffers } from '../../../server/database/embedded/server-process.ts';

const GIB = 2 ** 30;

t.test('shared_buffers is a share of the memory, within bounds', async (t) => {
  t.equal(sharedBuffers(GIB / 4), '32MB');
  t.equal(sharedBuffers(4 * GIB), '256MB');
  t.equal(sharedBuffers(64 * GIB), '1024MB');
});

t.test('shared_buffers has a value for this machine', async (t) => {
  t.match(sharedBuffers(), /^\d+MB$/);
});
