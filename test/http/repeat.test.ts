import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { type Repeated, repeatWhileListening } from '../../server/http/repeat.ts';

const EVERY = 1000;

/** A listening app that repeats work in a time that the test moves, and what it logs. */
async function start(t: Test, repeated: Partial<Repeated> & Pick<Repeated, 'run'>) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const lines: unknown[][] = [];
  const log = {
    info: (...line: unknown[]) => void lines.push(['info', ...line]),
    warn: (...line: unknown[]) => void lines.push(['warn', ...line]),
  };
  const app = Fastify();
  t.teardown(() => app.close());
  const texts = { failed: 'work failed', recovered: 'work succeeds again' };
  repeatWhileListening(app, { every: EVERY, log, ...texts, ...repeated });
  await app.listen({ host: '127.0.0.1', port: 0 });
  /** Lets milliseconds pass, and what they start begin. */
  const pass = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await turn();
  };
  return { app, lines, pass };
}

t.test('one run at a time: the pause begins when a run has ended', async (t) => {
  const runs: PromiseWithResolvers<undefined>[] = [];
  const run = () => {
    const started = Promise.withResolvers<undefined>();
    runs.push(started);
    return started.promise;
  };
  const { pass } = await start(t, { first: 10, run });
  await pass(9);
  t.equal(runs.length, 0);
  await pass(1);
  await pass(10 * EVERY);
  t.equal(runs.length, 1);
  runs[0]?.resolve(undefined);
  await turn();
  await pass(EVERY - 1);
  t.equal(runs.length, 1);
  await pass(1);
  t.equal(runs.length, 2);
  runs[1]?.resolve(undefined);
});

t.test('a run may ask for another pause', async (t) => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return runs === 1 ? 5 : undefined;
  };
  const { pass } = await start(t, { run });
  await pass(0);
  await pass(5);
  t.equal(runs, 2);
  await pass(5);
  t.equal(runs, 2, 'not for later ones');
  await pass(EVERY - 5);
  t.equal(runs, 3);
});

for (const [what, longest, pauses] of [
  ['stays', undefined, [EVERY, EVERY, EVERY, EVERY]],
  ['doubles up to the longest', 5 * EVERY, [2 * EVERY, 4 * EVERY, 5 * EVERY, 5 * EVERY]],
] as const) {
  t.test(`failed runs are followed by others, and logged once; the pause ${what}`, async (t) => {
    const fault = new Error('away');
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs <= pauses.length) throw fault;
      return undefined;
    };
    const { lines, pass } = await start(t, { ...(longest && { longest }), run });
    await pass(0);
    for (const [index, pause] of pauses.entries()) {
      await pass(pause - 1);
      t.equal(runs, index + 1);
      await pass(1);
      t.equal(runs, index + 2);
    }
    const all = [
      ['warn', { err: fault }, 'work failed'],
      ['info', 'work succeeds again'],
    ];
    t.strictSame(lines, all);
    await pass(EVERY);
    t.equal(runs, pauses.length + 2, 'after the usual pause again');
    t.strictSame(lines, all);
  });
}

t.test('the log line may name whose fault it is', async (t) => {
  const fault = new Error('away');
  const { lines, pass } = await start(t, {
    failed: (error) => `${error}`,
    run: () => Promise.reject(fault),
  });
  await pass(0);
  t.strictSame(lines, [['warn', { err: fault }, 'Error: away']]);
});

for (const onceMore of [false, true]) {
  t.test(`closing waits for the run, and ${onceMore ? 'runs once more' : 'nothing follows'}`, async (t) => {
    const seen: string[] = [];
    const ending = Promise.withResolvers<undefined>();
    let runs = 0;
    const run = async (closing: AbortSignal) => {
      runs += 1;
      const number = runs;
      if (number === 1) {
        closing.addEventListener('abort', () => seen.push('told'));
        await ending.promise;
      }
      seen.push(`run ${number} has ended`);
      return undefined;
    };
    const { app, pass } = await start(t, { onceMore, run });
    await pass(0);
    const closed = app.close().then(() => seen.push('closed'));
    while (seen.length === 0) await turn();
    t.strictSame(seen, ['told']);
    ending.resolve(undefined);
    await closed;
    await pass(10 * EVERY);
    const last = onceMore ? ['run 2 has ended'] : [];
    t.strictSame(seen, ['told', 'run 1 has ended', ...last, 'closed']);
  });
}

t.test('nothing runs in an app that has not listened', async (t) => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return undefined;
  };
  const { app, pass } = await start(t, { run });
  await app.close();
  await pass(EVERY);
  t.equal(runs, 0, 'nor in one that closes before its first run');
});
