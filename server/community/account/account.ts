import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import {
  type AccountChange,
  AccountChanges,
  accountCalls,
  type RoleChange,
} from '../../../shared/identity-calls.ts';
import { pictureKeyOf } from '../../../shared/media.ts';
import { isAppError } from '../../http/errors.ts';
import { repeatWhileListening } from '../../http/repeat.ts';
import { writeAuditLog } from '../people/audit-log/store.ts';
import type { AskIdentity } from '../people/auth/owner-rights.ts';
import { insertNotices } from '../people/notices/store.ts';
import type { Db } from '../schema.ts';
import {
  anonymizePerson,
  closePublisherAccount,
  deleteFailedChange,
  deletePersonalData,
  ensureSeen,
  lockFailedChange,
  postponeFailedChange,
  readDeletedSince,
  readFailedChanges,
  readSeen,
  updatePerson,
  upsertFailedChange,
  writeSeen,
} from './store.ts';

/** Milliseconds between two requests to identity; after failures the interval doubles up to the maximum. */
const INTERVAL = 5000;
const INTERVAL_MAX = 60_000;
/** Milliseconds before a failed change is tried again; doubles with each further try up to the maximum. */
const FIRST_RETRY_DELAY = 60_000;
const RETRY_DELAY_MAX = 60 * 60_000;
/** Milliseconds for which access tokens of a deleted account may still be valid. */
const TOKEN_LIFETIME_MAX = 60 * 60 * 1000;
/** Milliseconds: older role changes are not notified, since this database was new or restored. */
const ROLE_CHANGE_AGE_MAX = 7 * 24 * 60 * 60 * 1000;

/** A change that failed before. */
type FailedChange = { change: Change; tries: number };

type Log = Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
type Dependencies = { db: Db; ask: AskIdentity; now: () => number; log: Log };

/** A change of an account or of a role. */
type Change = ({ kind: 'account' } & AccountChange) | ({ kind: 'role' } & RoleChange);

/** Settings with the last change that was applied, or was kept for a later try. */
const SEEN = { account: 'account_changes_seen', role: 'role_changes_seen' } as const;

/**
 * Applies the account changes since the last call, which identity reports, and those whose next try is due. Each fails alone,
 * and several instances may run it. No transaction waits for identity.
 * @returns the number of new changes
 * @throws SERVICE_UNAVAILABLE if identity does not respond
 */
export async function applyAccountChanges(dependencies: Dependencies): Promise<number> {
  const { db, ask, now } = dependencies;
  const seen = await readSeen(db, SEEN.account);
  const rolesSeen = await readSeen(db, SEEN.role);
  const body = { after: seen, roles_after: rolesSeen };
  const {
    change_list,
    last,
    role_list = [],
    last_role,
  } = await ask(accountCalls.changes, AccountChanges, {
    body,
  });
  // Identity has another database than before: all changes are applied again, but role changes are not notified again.
  if (last < seen) await writeSeen(db, SEEN.account, 0);
  if (last_role !== undefined && last_role < rolesSeen) await writeSeen(db, SEEN.role, last_role);
  for (const change of change_list) await applyNewChange(dependencies, { kind: 'account', ...change });
  for (const change of role_list) await applyNewChange(dependencies, { kind: 'role', ...change });
  for (const failed of await readFailedChanges(db, new Date(now()))) await retryChange(dependencies, failed);
  for (const userId of await readDeletedSince(db, new Date(now() - TOKEN_LIFETIME_MAX))) {
    await db
      .transaction()
      .execute((trx) => deletePersonalData(trx, userId))
      .catch((error: unknown) =>
        dependencies.log.error(
          { err: error, user_id: userId },
          'data of a deleted account remains, retried later',
        ),
      );
  }
  return change_list.length + role_list.length;
}

/** The lock on what was seen lets only one of several instances apply a change; a role is notified once. */
async function applyNewChange({ db, now, log }: Dependencies, change: Change): Promise<void> {
  const { kind, id, user_id } = change;
  const once = (apply: (trx: Db) => Promise<void>): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await ensureSeen(trx, SEEN[kind]);
      if ((await readSeen(trx, SEEN[kind], { lock: true })) >= id) return;
      await apply(trx);
      await writeSeen(trx, SEEN[kind], id);
    });
  try {
    await once(async (trx) => {
      await applyChange(trx, change, now());
      // What an earlier change would have done is out of date.
      await deleteFailedChange(trx, kind, user_id);
    });
  } catch (error) {
    await once((trx) => upsertFailedChange(trx, { change, tries: 1, nextTryAt: nextTryAt(now(), 1) }));
    log.error({ err: error, kind, id, user_id }, 'account change not applied, retried later');
  }
}

async function retryChange({ db, now, log }: Dependencies, { change, tries }: FailedChange): Promise<void> {
  const { kind, id, user_id } = change;
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await lockFailedChange(trx, change))) return;
      await applyChange(trx, change, now());
      await deleteFailedChange(trx, kind, user_id);
    });
    log.info({ kind, id, user_id }, 'account change applied after all');
  } catch (error) {
    await postponeFailedChange(db, change, { tries: tries + 1, nextTryAt: nextTryAt(now(), tries + 1) });
    log.error(
      { err: error, kind, id, user_id, tries: tries + 1 },
      'account change not applied, retried later',
    );
  }
}

function nextTryAt(now: number, tries: number): Date {
  return new Date(now + Math.min(FIRST_RETRY_DELAY * 2 ** (tries - 1), RETRY_DELAY_MAX));
}

function applyChange(trx: Db, change: Change, now: number): Promise<void> {
  return change.kind === 'account' ? applyAccountChange(trx, change) : notifyRole(trx, change, now);
}

/** Notifies a user of their new role. */
async function notifyRole(
  trx: Db,
  { user_id: userId, role, changed_at }: RoleChange,
  now: number,
): Promise<void> {
  if (changed_at <= now - ROLE_CHANGE_AGE_MAX) return;
  await insertNotices(trx, [{ userId, kind: 'role_changed', data: { role } }], new Date(now));
}

async function applyAccountChange(
  trx: Db,
  { user_id: userId, shown, plugins, changed_at }: AccountChange,
): Promise<void> {
  const at = new Date(changed_at);
  if (shown) {
    await updatePerson(trx, userId, { ...shown, pictureKey: pictureKeyOf(shown.avatar_url) }, at);
    return;
  }
  const isFirst = await anonymizePerson(trx, userId, at);
  await deletePersonalData(trx, userId);
  const outcome = await closePublisherAccount(trx, userId, { plugins, at });
  if (!isFirst || outcome.kept + outcome.removed === 0) return;
  await writeAuditLog(trx, {
    actorId: userId,
    action: 'account.delete',
    targetKind: 'account',
    targetId: userId,
    targetName: '',
    detail: outcome,
  });
}

/** Applies account changes while the app listens. `first`: milliseconds before the first request. */
export function followAccountsRegularly(
  app: FastifyInstance,
  dependencies: Dependencies,
  first = INTERVAL,
): void {
  const { log } = dependencies;
  repeatWhileListening(app, {
    every: INTERVAL,
    first,
    longest: INTERVAL_MAX,
    log,
    failed: (error) =>
      isAppError(error) && error.code === 'SERVICE_UNAVAILABLE'
        ? 'the user service did not report account changes'
        : 'account changes could not be read or stored here',
    recovered: 'account changes are read again',
    async run() {
      const changes = await applyAccountChanges(dependencies);
      if (changes > 0) log.info({ changes }, 'applied account changes');
    },
  });
}
