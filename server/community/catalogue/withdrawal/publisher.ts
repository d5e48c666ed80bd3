import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { propose } from './propose.ts';
import { readPublisherKeys, readPublisherReach } from './publisher-store.ts';
import type { NewWithdrawal, Withdrawing } from './store.ts';
import { askedWithdrawal, withdraw } from './withdrawal.ts';

/** Plugins that are read at a time. */
const BATCH = 100;

/**
 * Withdraws every plugin of a publisher, or restores those that were withdrawn together. Each plugin has a transaction of its
 * own, so that nothing waits for all of them; a repeated call continues.
 * @returns the number of changed plugins
 */
export async function withdrawPublisher(
  db: Db,
  publisherId: number,
  withdrawal: NewWithdrawal | null,
  withdrawing: Withdrawing,
): Promise<number> {
  let changed = 0;
  let after = 0;
  for (;;) {
    const plugins = await readPublisherKeys(db, {
      publisherId,
      isWithdrawn: withdrawal === null,
      after,
      limit: BATCH,
    });
    for (const { id, plugin_key: pluginKey } of plugins) {
      const isChanged = await db
        .transaction()
        .execute((trx) => withdraw(trx, { pluginKey }, withdrawal, withdrawing));
      if (isChanged) changed += 1;
      after = id;
    }
    if (plugins.length < BATCH) return changed;
  }
}

/** Withdrawal of everything of a publisher by administrators. */
export function publisherWithdrawalRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.readPublisherReach, ({ query }) => readPublisherReach(db, query.user_id));
  implement(app, contract.withdrawPublisher, async ({ body: { user_id, ...asked }, request }) => {
    const withdrawal = askedWithdrawal(asked, { isOfPublisher: true });
    const withdrawing = { caller: callerOf(request), at: new Date(now()) };
    if (!app.community.fourEyes)
      return { plugin_count: await withdrawPublisher(db, user_id, withdrawal, withdrawing) };
    await db.transaction().execute(async (trx) => {
      const target = { publisherId: user_id };
      if (!(await propose(trx, target, withdrawal, withdrawing))) throw appError('CONFLICT');
    });
    return { plugin_count: 0, is_proposed: true };
  });
}
