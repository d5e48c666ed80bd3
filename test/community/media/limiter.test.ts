import t from 'tap';
import { limitFairly } from '../../../server/community/media/limiter.ts';

/** A limiter, what has begun in which order, and how each piece of work is ended. */
function watched(room: Parameters<typeof limitFairly>[0]) {
  const limited = limitFairly(room);
  const begun: string[] = [];
  const end = new Map<string, () => void>();
  const ask = (name: string, userId: number, given: { cost?: number; signal?: AbortSignal } = {}) =>
    limited({ userId, ...given }, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => end.set(name, resolve));
      return name;
    });
  const finish = async (name: string, work: Promise<unknown>): Promise<void> => {
    end.get(name)?.();
    await work;
  };
  return { ask, begun, finish };
}

t.test('users take turns with one task each', async (t) => {
  const { ask, begun, finish } = watched({ size: 2, waiting: 100, waitingEach: 10 });
  const ones = [1, 2, 3, 4].map((count) => ask(`a${count}`, 1));
  await Promise.resolve();
  t.strictSame(begun, ['a1'], 'there is room for another, but not of the same user');
  const [b1, b2, c1] = [ask('b1', 2), ask('b2', 2), ask('c1', 3)];
  await Promise.resolve();
  t.strictSame(begun, ['a1', 'b1']);
  await finish('a1', ones[0] ?? b1);
  t.strictSame(begun, ['a1', 'b1', 'a2'], 'who waits longest comes first');
  await finish('b1', b1);
  t.strictSame(begun, ['a1', 'b1', 'a2', 'b2']);
  await finish('a2', ones[1] ?? b1);
  t.strictSame(begun, ['a1', 'b1', 'a2', 'b2', 'c1'], 'and not who has more that waits');
  await finish('b2', b2);
  await finish('c1', c1);
  await finish('a3', ones[2] ?? b1);
  await finish('a4', ones[3] ?? b1);
  t.strictSame(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']);
});

t.test('limits parallel cost, and large tasks are not overtaken forever', async (t) => {
  const { ask, begun, finish } = watched({ size: 4, waiting: 100, waitingEach: 10 });
  const small = ask('small', 1);
  const large = ask('large', 2, { cost: 4 });
  const next = ask('next', 3);
  await Promise.resolve();
  t.strictSame(begun, ['small']);
  await finish('small', small);
  t.strictSame(begun, ['small', 'large']);
  await finish('large', large);
  t.strictSame(begun, ['small', 'large', 'next']);
  await finish('next', next);
  const beyond = ask('beyond', 4, { cost: 9 });
  await Promise.resolve();
  t.equal(begun.at(-1), 'beyond', 'what needs more than there is has all of it');
  await finish('beyond', beyond);
});

t.test('rejects too many waiting tasks of one user, or of all', async (t) => {
  const { ask, finish } = watched({ size: 1, waiting: 3, waitingEach: 2 });
  const [a1, a2, a3] = [ask('a1', 1), ask('a2', 1), ask('a3', 1)];
  const headers = { 'retry-after': '5' };
  await t.rejects(ask('a4', 1), { code: 'TOO_MANY_REQUESTS', statusCode: 429, headers });
  const b1 = ask('b1', 2);
  await t.rejects(ask('c1', 3), { code: 'SERVICE_UNAVAILABLE', statusCode: 503, headers });
  for (const [name, work] of Object.entries({ a1, a2, b1, a3 })) await finish(name, work);
  const late = ask('c2', 3);
  await Promise.resolve();
  await finish('c2', late);
});

t.test('an aborted task leaves the queue, a started one continues', async (t) => {
  const { ask, begun, finish } = watched({ size: 1, waiting: 100, waitingEach: 1 });
  const first = ask('first', 1);
  const gone = new AbortController();
  const waiting = ask('waiting', 1, { signal: gone.signal });
  gone.abort(new Error('gone'));
  await t.rejects(waiting, { message: 'gone' });
  const another = ask('another', 1);
  await finish('first', first);
  t.strictSame(begun, ['first', 'another']);
  await finish('another', another);
});

t.test('a failed task releases its capacity', async (t) => {
  const limited = limitFairly({ size: 1, waiting: 1, waitingEach: 1 });
  await t.rejects(
    limited({ userId: 1 }, async () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  t.equal(await limited({ userId: 1 }, async () => 'done'), 'done');
});
