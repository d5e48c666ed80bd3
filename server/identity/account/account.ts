import type { FastifyInstance } from 'fastify';
import { ACCOUNT_CHANGES_AT_ONCE, type AccountChange, accountCalls } from '../../../shared/identity-calls.ts';
import { pictureKeyOf } from '../../../shared/media.ts';
import type { BodyOf } from '../../../shared/route.ts';
import { accountRoutes, ownEnterpriseRoutes } from '../../../shared/routes/account.ts';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { accountKey, checkedNickName, userInfoOf } from '../accounts/account-fields.ts';
import { enterprisesOf, findUser } from '../accounts/store.ts';
import { answerAnyone, answerBearer } from '../calls/answer.ts';
import type { IdentityContext } from '../context.ts';
import { readExternalsOf } from '../federation/store.ts';
import { lockAccount } from '../members/store.ts';
import { readOptOuts } from '../notice-mails/store.ts';
import { findSecondFactor } from '../second-factor/store.ts';
import { signAccessToken } from '../sessions/access-token.ts';
import { type Caller, callerOf, tokenInvalid, userGuard } from '../sessions/caller.ts';
import { LISTED, toSession } from '../sessions/own-sessions.ts';
import { readSessionsOf } from '../sessions/store.ts';
import { deleteAccount, readDeletion } from './deletion.ts';
import {
  type AccountChangeRow,
  lastAccountChange,
  lastRoleChange,
  noteAccountChange,
  readAccountChanges,
  readChangesAbout,
  readRoleChanges,
  updateProfile,
} from './store.ts';

/** A user's own account as a whole, the enterprises that it belongs to, and what other services are told of it. */
export function serveOwnAccount(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, accountRoutes.readDeletion, ({ request }) =>
    readDeletion(identity, callerOf(request)),
  );
  implement(app, guard, accountRoutes.deleteAccount, ({ body, request }) =>
    deleteAccount(identity, callerOf(request), { body, request }),
  );
  implement(app, guard, ownEnterpriseRoutes.listOwnEnterprises, async ({ request }) => ({
    enterprises: await enterprisesOf(identity.db, callerOf(request).user.user_id),
  }));
  answerBearer(app, identity, userServiceCalls.changeProfile, (caller, { body }) =>
    changeProfile(identity, caller, body),
  );
  answerBearer(app, identity, accountCalls.export, (caller) => exportAccount(identity, caller));
  answerAnyone(app, accountCalls.changes, ({ body }) => listAccountChanges(identity, body));
}

/**
 * Changes name or picture of the caller's account, and answers an access token that says so.
 * @throws VALIDATION_FAILED at /nick_name or /avatar_url, TOKEN_INVALID when the account has gone meanwhile
 */
async function changeProfile(
  identity: IdentityContext,
  { user: { user_id }, session }: Caller,
  body: BodyOf<(typeof accountRoutes)['changeProfile']>,
) {
  const nick_name = body.nick_name === undefined ? undefined : checkedNickName(body.nick_name);
  const avatar_url = body.avatar_url === undefined ? undefined : checkedPicture(body.avatar_url);
  const user = await identity.db.transaction().execute(async (db) => {
    const former = await lockAccount(db, user_id);
    if (!former) throw tokenInvalid();
    const isNew =
      (nick_name ?? former.nick_name) !== former.nick_name ||
      (avatar_url ?? former.avatar_url) !== former.avatar_url;
    if (isNew) {
      await updateProfile(db, user_id, {
        ...(nick_name !== undefined && { nick_name, nick_name_key: accountKey(nick_name) ?? '' }),
        ...(avatar_url !== undefined && { avatar_url }),
      });
      await noteAccountChange(db, user_id, new Date(identity.now()));
    }
    return findUser(db, user_id);
  });
  if (!user) throw tokenInvalid();
  return { access_token: await signAccessToken(identity, user, session), user_info: userInfoOf(user) };
}

/** Pictures are stored by the marketplace, at addresses of its own; nothing else is shown to others. */
function checkedPicture(address: string): string {
  if (address === '' || pictureKeyOf(address) !== null) return address;
  const details = [{ pointer: '/avatar_url', message: 'must be the address of a picture of this site' }];
  throw appError('VALIDATION_FAILED', { details });
}

/** What other services must look at again. It names people as others see them, and roles. */
async function listAccountChanges(
  { db }: IdentityContext,
  { after, roles_after: rolesAfter }: { after: number; roles_after?: number },
) {
  const last = await lastAccountChange(db);
  const rows = await readAccountChanges(db, { after, limit: ACCOUNT_CHANGES_AT_ONCE });
  const changes = { change_list: rows.map(toChange), last: Math.max(last, rows.at(-1)?.id ?? 0) };
  if (rolesAfter === undefined) return changes;
  const lastRole = await lastRoleChange(db);
  const roles = await readRoleChanges(db, { after: rolesAfter, limit: ACCOUNT_CHANGES_AT_ONCE });
  const role_list = roles.map(({ changed_at, ...row }) => ({ ...row, changed_at: changed_at.getTime() }));
  return { ...changes, role_list, last_role: Math.max(lastRole, roles.at(-1)?.id ?? 0) };
}

function toChange(row: AccountChangeRow): AccountChange {
  const { id, user_id, nick_name, avatar_url, delete_plugins, deleted_at, changed_at } = row;
  return {
    id,
    user_id,
    shown: deleted_at === null ? { nick_name, avatar_url } : null,
    plugins: delete_plugins ?? 'keep',
    changed_at: changed_at.getTime(),
  };
}

/** All that is stored here about who calls, without any secret. */
async function exportAccount({ db, now, methods }: IdentityContext, { user }: Caller) {
  const { user_id } = user;
  const [sessions, externals, enterprises, factor, changes, notWanted] = await Promise.all([
    readSessionsOf(db, user_id, { at: new Date(now()), limit: LISTED }),
    readExternalsOf(db, user_id),
    enterprisesOf(db, user_id),
    findSecondFactor(db, user_id),
    readChangesAbout(db, user_id),
    readOptOuts(db, user_id),
  ]);
  return {
    profile: {
      ...userInfoOf(user),
      role: user.role,
      email_verified_at: user.email_verified_at,
      last_sign_in_at: user.last_sign_in_at,
      has_password: user.password_hash !== null,
    },
    second_factor_since: factor?.created_at ?? null,
    linked_sign_ins: externals.map(({ user_id: _own, ...linked }) => linked),
    enterprises,
    sessions: sessions.map((session) => toSession(session, methods)),
    account_changes: changes,
    mails: { language: user.language, not_wanted: notWanted },
  };
}
