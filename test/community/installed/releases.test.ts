import t from 'tap';
import { memoizeBytes } from '../../../server/community/installed/releases.ts';

t.test('bytes are created one at a time, once, and cached up to the limit', async (t) => {
  const memoized = memoizeBytes({ bytes: 25 });
  let made = 0;
  let running = 0;
  const make = async (): Promise<Uint8Array> => {
    made += 1;
    running += 1;
    t.equal(running, 1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return new Uint8Array(10);
  };
  await Promise.all([memoized('a', make), memoized('a', make), memoized('b', make)]);
  t.equal(made, 2);
  await memoized('a', make);
  t.equal(made, 2, 'kept');
  await memoized('c', make);
  await memoized('a', make);
  t.equal(made, 3, 'the one asked for last stays');
  await memoized('b', make);
  t.equal(made, 4, 'the one asked for first has gone');
  await t.rejects(
    memoized('h', () => Promise.reject(new Error('lost'))),
    { message: 'lost' },
  );
  t.equal((await memoized('h', make)).length, 10, 'a failure is not kept');
});

t.test('an entry larger than the cache is cached alone', async (t) => {
  const memoized = memoizeBytes({ bytes: 5 });
  let made = 0;
  const make = async (): Promise<Uint8Array> => {
    made += 1;
    return new Uint8Array(10);
  };
  await memoized('a', make);
  await memoized('a', make);
  t.equal(made, 1);
  await memoized('b', make);
  await memoized('a', make);
  t.equal(made, 3);
});
