import t from 'tap';
import { createLocalState } from '../../../server/gateway/session/shared-state.ts';
import { HOUR, newSession } from '../../support/shared-state.ts';

/** A refresh that the test completes. */
function heldRefresh() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const calls: number[] = [];
  const work = async (session: ReturnType<typeof newSession>) => {
    calls.push(session.generation);
    await promise;
    return { ...session, generation: session.generation + 1, access_token: `new ${calls.length}` };
  };
  return { calls, work, release: resolve, fail: reject };
}

t.test('concurrent callers share one refresh, later callers get its result', async (t) => {
  const state = createLocalState(Date.now);
  const session = newSession();
  const { calls, work, release } = heldRefresh();
  const asked = [state.renewOnce(session, work), state.renewOnce(session, work)];
  release();
  const [first, second] = await Promise.all(asked);
  t.equal(first, second);
  t.equal(await state.renewOnce(session, work), first, 'with the older copy, whose token is invalid');
  t.strictSame(calls, [0], 'one refresh');
  t.hasStrict(await state.newerThan(session), { generation: 1, access_token: 'new 1' });
  t.equal(await state.newerThan({ ...session, generation: 1 }), undefined);
  t.hasStrict(
    await state.renewOnce({ ...session, generation: 1 }, work),
    { generation: 2 },
    'the newest copy is renewed',
  );
});

t.test('a failed refresh fails for all waiting callers, and the next caller retries', async (t) => {
  const state = createLocalState(Date.now);
  const session = newSession();
  const failing = heldRefresh();
  const asked = [1, 2].map(() => state.renewOnce(session, failing.work));
  failing.fail(new Error('away'));
  t.strictSame(
    (await Promise.allSettled(asked)).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const { work, release } = heldRefresh();
  release();
  t.hasStrict(await state.renewOnce(session, work), { generation: 1 });
});

t.test('an ended session leaves no copy', async (t) => {
  const state = createLocalState(Date.now);
  const session = newSession();
  const { work, release } = heldRefresh();
  release();
  await state.renewOnce(session, work);
  await state.revoke(session.id, Date.now() + HOUR);
  t.equal(state.isKnownRevoked(session.id), true);
  t.equal(state.newest(session.id), undefined);
});
