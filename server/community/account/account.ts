import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pictureKeyOf } from '../../../shared/media.ts';
import { type AccountChange, AccountChanges, accountCalls } from '../../../shared/user-service.ts';
import type { AskIdentity } from '../auth/owner-rights.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import {
  blankPerson,
  deleteUses,
  readLatelyDeleted,
  readSeen,
  settlePlugins,
  updatePerson,
  writeSeen,
} from './store.ts';

/** How often identity is asked for changes, milliseconds; while it does not answer, ever less often. */
const ASK_EVERY = 5000;
const ASK_AT_LEAST_EVERY = 60_000;
/** An access token that was good when its account went is good no longer than this, milliseconds. */
const TOKENS_OUTLIVE = 60 * 60 * 1000;

type Following = { db: Db; ask: AskIdentity; now: () => number };

/**
 * Carries out what identity says has changed of accounts since the last time, whoever of several instances comes first.
 * Each change may be carried out any number of times. No transaction waits for identity.
 * @returns how many changes there were
 * @throws SERVICE_UNAVAILABLE when identity does not answer
 */
export async function followAccounts({ db, ask, now }: Following): Promise<number> {
  const seen = await readSeen(db);
  const { change_list, last } = await ask(accountCalls.changes, AccountChanges, { body: { after: seen } });
  // Another database than the one that was asked before: all it has to say is news.
  if (last < seen) await writeSeen(db, 0);
  for (const change of change_list) {
    await db.transaction().execute(async (trx) => {
      await carryOut(trx, change);
      if ((await readSeen(trx, { lock: true })) < change.id) await writeSeen(trx, change.id);
    });
  }
  for (const userId of await readLatelyDeleted(db, new Date(now() - TOKENS_OUTLIVE))) {
    await db.transaction().execute((trx) => deleteUses(trx, userId));
  }
  return change_list.length;
}

async function carryOut(
  trx: Db,
  { user_id: userId, shown, plugins, changed_at }: AccountChange,
): Promise<void> {
  const at = new Date(changed_at);
  if (shown) {
    await updatePerson(trx, userId, { ...shown, pictureKey: pictureKeyOf(shown.avatar_url) }, at);
    return;
  }
  const isNews = await blankPerson(trx, userId, at);
  await deleteUses(trx, userId);
  const settled = await settlePlugins(trx, userId, { plugins, at });
  if (!isNews || settled.kept + settled.removed === 0) return;
  await writeTrail(trx, {
    actorId: userId,
    action: 'account.delete',
    targetKind: 'account',
    targetId: userId,
    targetName: '',
    detail: settled,
  });
}

/** Follows accounts while the app listens. */
export function followRegularly(
  app: FastifyInstance,
  following: Following,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): void {
  let failures = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      const changes = await followAccounts(following);
      if (changes > 0) log.info({ changes }, 'accounts were brought up to date');
      if (failures > 0) log.info('the user service answers what has changed of accounts again');
      failures = 0;
    } catch (error) {
      if (failures === 0)
        log.warn({ err: error }, 'the user service did not say what has changed of accounts');
      failures += 1;
    }
    if (isClosed) return;
    const wait = Math.min(ASK_EVERY * 2 ** failures, failures > 0 ? ASK_AT_LEAST_EVERY : ASK_EVERY);
    timer = setTimeout(start, wait).unref();
  };
  const start = (): void => {
    running = run();
  };
  app.addHook('onListen', async () => {
    timer = setTimeout(start, ASK_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    isClosed = true;
    clearTimeout(timer);
    await running;
  });
}
