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
  blankPerson,
  closePublisher,
  deleteUses,
  holdSeen,
  readLatelyDeleted,
  readSeen,
  updatePerson,
  writeSeen,
} from './store.ts';

/** How often identity is asked for changes, milliseconds; while it does not answer, ever less often. */
const ASK_EVERY = 5000;
const ASK_AT_LEAST_EVERY = 60_000;
/** An access token that was good when its account went is good no longer than this, milliseconds. */
const TOKENS_OUTLIVE = 60 * 60 * 1000;
/** A role that was given longer ago, milliseconds, is no news: this database was empty, or an old one. */
const ROLES_ARE_NEWS = 7 * 24 * 60 * 60 * 1000;

type Following = { db: Db; ask: AskIdentity; now: () => number };

/**
 * Carries out what identity says has changed of accounts since the last time, whoever of several instances comes first.
 * Each change may be carried out any number of times. No transaction waits for identity.
 * @returns how many changes there were
 * @throws SERVICE_UNAVAILABLE when identity does not answer
 */
export async function followAccounts({ db, ask, now }: Following): Promise<number> {
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
  // Another database than the one that was asked before: all it has to say is news, but nobody is told of it again.
  if (last < seen) await writeSeen(db, 'account_changes_seen', 0);
  if (last_role !== undefined && last_role < rolesSeen) await writeSeen(db, 'role_changes_seen', last_role);
  for (const change of change_list) {
    await db.transaction().execute(async (trx) => {
      await carryOut(trx, change);
      const name = 'account_changes_seen';
      if ((await readSeen(trx, name, { lock: true })) < change.id) await writeSeen(trx, name, change.id);
    });
  }
  await tellOfRoles(db, role_list, now());
  for (const userId of await readLatelyDeleted(db, new Date(now() - TOKENS_OUTLIVE))) {
    await db.transaction().execute((trx) => deleteUses(trx, userId));
  }
  return change_list.length + role_list.length;
}

/** Tells people of the roles they were given, each once: of several instances one moves the number on. */
async function tellOfRoles(db: Db, roles: readonly RoleChange[], now: number): Promise<void> {
  const last = roles.at(-1)?.id;
  if (last === undefined) return;
  await db.transaction().execute(async (trx) => {
    await holdSeen(trx, 'role_changes_seen');
    const seen = await readSeen(trx, 'role_changes_seen', { lock: true });
    const news = roles.filter(({ id, changed_at }) => id > seen && changed_at > now - ROLES_ARE_NEWS);
    const notices = news.map(({ user_id: userId, role }) => ({
      userId,
      kind: 'role_changed' as const,
      data: { role },
    }));
    await insertNotices(trx, notices, new Date(now));
    if (last > seen) await writeSeen(trx, 'role_changes_seen', last);
  });
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
  const outcome = await closePublisher(trx, userId, { plugins, at });
  if (!isNews || outcome.kept + outcome.removed === 0) return;
  await writeTrail(trx, {
    actorId: userId,
    action: 'account.delete',
    targetKind: 'account',
    targetId: userId,
    targetName: '',
    detail: outcome,
  });
}

/** Follows accounts while the app listens. */
export function followRegularly(
  app: FastifyInstance,
  following: Following,
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>,
): void {
  let failures = 0;
  const follow = async (): Promise<number> => {
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
    return Math.min(ASK_EVERY * 2 ** failures, ASK_AT_LEAST_EVERY);
  };
  repeatWhileListening(app, follow, ASK_EVERY);
}
