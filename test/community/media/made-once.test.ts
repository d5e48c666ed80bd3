import t from 'tap';
import { openMadeOnce } from '../../../server/community/media/made-once.ts';

t.test('bytes are made one at a time, once, and kept while there is room', async (t) => {
  const kept = openMadeOnce({ bytes: 25, waiting: 3 });
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
  await Promise.all([kept.take('a', make), kept.take('a', make), kept.take('b', make)]);
  t.equal(made, 2);
  await kept.take('a', make);
  t.equal(made, 2, 'kept');
  await kept.take('c', make);
  await kept.take('a', make);
  t.equal(made, 3, 'the one asked for last stays');
  await kept.take('b', make);
  t.equal(made, 4, 'the one asked for first has gone');
  const waiting = ['d', 'e', 'f'].map((key) => kept.take(key, make));
  await t.rejects(kept.take('g', make), { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '5' } });
  await Promise.all(waiting);
  await t.rejects(
    kept.take('h', () => Promise.reject(new Error('lost'))),
    { message: 'lost' },
  );
  t.equal((await kept.take('h', make)).length, 10, 'a failure is not kept');
});

t.test('one that is larger than all the room is kept alone', async (t) => {
  const kept = openMadeOnce({ bytes: 5 });
  let made = 0;
  const make = async (): Promise<Uint8Array> => {
    made += 1;
    return new Uint8Array(10);
  };
  await kept.take('a', make);
  await kept.take('a', make);
  t.equal(made, 1);
  await kept.take('b', make);
  await kept.take('a', make);
  t.equal(made, 3);
});
