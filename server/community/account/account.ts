import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import {
  type AccountChange,
  AccountChanges,
  accountCalls,
  type RoleChange,
} from '../../../shared/identity-calls.ts';
import { pictureKeyOf } from '../../../shared/media.ts';
import { repeatWhileListening } from '../../http/app.ts';
import type { AskIdentity } from '../auth/owner-rights.ts';
import { insertNotices } from '../notices/store.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import {
  anonymizePerson,
  closePublisherAccount,
  deletePersonalData,
  ensureSeen,
  readDeletedSince,
  readSeen,
  updatePerson,
  writeSeen,
} from './store.ts';

/** Milliseconds between two requests to identity; after failures the interval doubles up to the maximum. */
const INTERVAL = 5000;
const INTERVAL_MAX = 60_000;
/** Milliseconds for which access tokens of a deleted account may still be valid. */
const TOKEN_LIFETIME_MAX = 60 * 60 * 1000;
/** Milliseconds: older role changes are not notified, since this database was new or restored. */
const ROLE_CHANGE_AGE_MAX = 7 * 24 * 60 * 60 * 1000;

type Dependencies = { db: Db; ask: AskIdentity; now: () => number };

/**
 * Applies the account changes since the last call, which identity reports. Changes are idempotent, so several instances may
 * run it. No transaction waits for identity.
 * @returns the number of changes
 * @throws SERVICE_UNAVAILABLE if identity does not respond
 */
export async function applyAccountChanges({ db, ask, now }: Dependencies): Promise<number> {
  const seen = await readSeen(db, 'account_changes_seen');
  const rolesSeen = await readSeen(db, 'role_changes_seen');
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
  if (last < seen) await writeSeen(db, 'account_changes_seen', 0);
  if (last_role !== undefined && last_role < rolesSeen) await writeSeen(db, 'role_changes_seen', last_role);
  for (const change of change_list) {
    await db.transaction().execute(async (trx) => {
      await applyChange(trx, change);
      const name = 'account_changes_seen';
      if ((await readSeen(trx, name, { lock: true })) < change.id) await writeSeen(trx, name, change.id);
    });
  }
  await notifyRoleChanges(db, role_list, now());
  for (const userId of await readDeletedSince(db, new Date(now() - TOKEN_LIFETIME_MAX))) {
    await db.transaction().execute((trx) => deletePersonalData(trx, userId));
  }
  return change_list.length + role_list.length;
}

/** Notifies users of new roles, once: the lock lets only one of several instances do it. */
async function notifyRoleChanges(db: Db, roles: readonly RoleChange[], now: number): Promise<void> {
  const last = roles.at(-1)?.id;
  if (last === undefined) return;
  await db.transaction().execute(async (trx) => {
    await ensureSeen(trx, 'role_changes_seen');
    const seen = await readSeen(trx, 'role_changes_seen', { lock: true });
    const recent = roles.filter(({ id, changed_at }) => id > seen && changed_at > now - ROLE_CHANGE_AGE_MAX);
    const notices = recent.map(({ user_id: userId, role }) => ({
      userId,
      kind: 'role_changed' as const,
      data: { role },
    }));
    await insertNotices(trx, notices, new Date(now));
    if (last > seen) await writeSeen(trx, 'role_changes_seen', last);
  });
}

async function applyChange(
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
  await writeTrail(trx, {
    actorId: userId,
    action: 'account.delete',
    targetKind: 'account',
    targetId: userId,
    targetName: '',
    detail: outcome,
  });
}

/** Applies account changes while the app listens. */
export function followAccountsRegularly(
  app: FastifyInstance,
  dependencies: Dependencies,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): void {
  let failures = 0;
  const follow = async (): Promise<number> => {
    try {
      const changes = await applyAccountChanges(dependencies);
      if (changes > 0) log.info({ changes }, 'applied account changes');
      if (failures > 0) log.info('the user service reports account changes again');
      failures = 0;
    } catch (error) {
      if (failures === 0) log.warn({ err: error }, 'the user service did not report account changes');
      failures += 1;
    }
    return Math.min(INTERVAL * 2 ** failures, INTERVAL_MAX);
  };
  repeatWhileListening(app, follow, INTERVAL);
}
