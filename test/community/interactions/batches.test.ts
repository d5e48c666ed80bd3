import t from 'tap';
import { batchCalls } from '../../../server/community/interactions/batches.ts';

type Turn = { items: readonly string[]; done: (results?: string[]) => void; fail: (error: Error) => void };

function gathering(most = 10) {
  const turns: Turn[] = [];
  const ask = batchCalls(
    (items: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const answers = items.map((item) => `${item}!`);
        turns.push({ items, done: (results = answers) => resolve(results), fail: reject });
      }),
    (item) => item,
    most,
  );
  return { ask, turns };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

t.test('a single call does not wait; later calls form a batch', async (t) => {
  const { ask, turns } = gathering();
  const first = ask('a');
  t.strictSame(turns[0]?.items, ['a']);
  const others = [ask('b'), ask('c')];
  await soon();
  t.equal(turns.length, 1);
  turns[0]?.done();
  t.equal(await first, 'a!');
  await soon();
  t.strictSame(turns[1]?.items, ['b', 'c']);
  turns[1]?.done();
  t.strictSame(await Promise.all(others), ['b!', 'c!']);
});

t.test('a batch has each key once, in order', async (t) => {
  const { ask, turns } = gathering();
  const all = [ask('x'), ask('a'), ask('a'), ask('b')];
  turns[0]?.done();
  await soon();
  t.strictSame(turns[1]?.items, ['a', 'b']);
  turns[1]?.done();
  await soon();
  t.strictSame(turns[2]?.items, ['a']);
  turns[2]?.done();
  t.strictSame(await Promise.all(all), ['x!', 'a!', 'a!', 'b!']);
});

t.test('batches have a maximum size', async (t) => {
  const { ask, turns } = gathering(2);
  const all = ['x', 'a', 'b', 'c'].map(ask);
  for (let turn = 0; turn < 3; turn += 1) {
    turns[turn]?.done();
    await soon();
  }
  t.strictSame(
    turns.map(({ items }) => items),
    [['x'], ['a', 'b'], ['c']],
  );
  t.strictSame(await Promise.all(all), ['x!', 'a!', 'b!', 'c!']);
});

t.test('an error affects its own batch only', async (t) => {
  const { ask, turns } = gathering();
  const first = ask('a');
  const second = ask('b');
  turns[0]?.fail(new Error('lost'));
  await t.rejects(first, { message: 'lost' });
  await soon();
  turns[1]?.done();
  t.equal(await second, 'b!');
});

t.test('an item without a result fails', async (t) => {
  const { ask, turns } = gathering();
  const asked = ask('a');
  turns[0]?.done([]);
  await t.rejects(asked, /no result for an item/);
});
