import type { FastifyInstance } from 'fastify';
import { ACCOUNT_CHANGES_AT_ONCE, type AccountChange, accountCalls } from '../../../shared/identity-calls.ts';
import { pictureKeyOf } from '../../../shared/media.ts';
import type { BodyOf } from '../../../shared/route.ts';
import { accountRoutes, ownEnterpriseRoutes } from '../../../shared/routes/account.ts';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { implement } from '../../http/implement.ts';
import { implementBearerCall, implementOpenCall } from '../calls/answer.ts';
import type { IdentityContext } from '../context.ts';
import { readExternalsOf } from '../federation/store.ts';
import { lockAccount } from '../members/store.ts';
import { readOptOuts } from '../notice-mails/store.ts';
import { findSecondFactor } from '../second-factor/store.ts';
import { type Caller, callerOf, tokenInvalid } from '../sessions/caller.ts';
import { toSession } from '../sessions/sessions.ts';
import { readSessionsOf } from '../sessions/store.ts';
import { signAccessToken } from '../sessions/tokens.ts';
import { accountKey, userInfoOf, validateNickName, validationFailed } from './account.ts';
import { deleteAccount, readDeletion } from './deletion.ts';
import {
  type AccountChangeRow,
  lastChangeId,
  readAccountChanges,
  readChangesAbout,
  readRoleChanges,
  recordAccountChange,
  updateProfile,
} from './own-account-store.ts';
import { reauthenticate, requiredProof } from './reauthenticate.ts';
import { findUser, listEnterprises } from './store.ts';

/** A user's own account and enterprises, and the changes that other services poll. */
export function serveOwnAccount(app: FastifyInstance): void {
  const { identity } = app;
  implement(app, accountRoutes.readDeletion, ({ request }) => readDeletion(identity, callerOf(request)));
  implement(app, accountRoutes.deleteAccount, ({ body, request }) =>
    deleteAccount(identity, callerOf(request), { body, request }),
  );
  implement(app, accountRoutes.readProof, async ({ request }) => ({
    proof: await requiredProof(identity, callerOf(request)),
  }));
  implement(app, ownEnterpriseRoutes.listOwnEnterprises, async ({ request }) => ({
    enterprises: await listEnterprises(identity.db, callerOf(request).user.user_id),
  }));
  implementBearerCall(app, userServiceCalls.changeProfile, (caller, { body }) =>
    changeProfile(identity, caller, body),
  );
  implementBearerCall(app, accountCalls.reauthenticate, async (caller, { body, request }) => {
    await reauthenticate(identity, caller, { typed: body, request });
    return {};
  });
  implementBearerCall(app, accountCalls.export, async (caller, { body, request }) => {
    await reauthenticate(identity, caller, { typed: body, request });
    return exportAccount(identity, caller);
  });
  implementOpenCall(app, accountCalls.changes, ({ body }) => listAccountChanges(identity, body));
}

/**
 * Changes name or picture of the caller's account. Returns an access token with the new values.
 * @throws VALIDATION_FAILED at /nick_name or /avatar_url, TOKEN_INVALID when the account was deleted in the meantime
 */
async function changeProfile(
  identity: IdentityContext,
  { user: { user_id }, session }: Caller,
  body: BodyOf<(typeof accountRoutes)['changeProfile']>,
) {
  const nick_name = body.nick_name === undefined ? undefined : validateNickName(body.nick_name);
  const avatar_url = body.avatar_url === undefined ? undefined : validatePicture(body.avatar_url);
  const user = await identity.db.transaction().execute(async (db) => {
    const current = await lockAccount(db, user_id);
    if (!current) throw tokenInvalid();
    const isChanged =
      (nick_name ?? current.nick_name) !== current.nick_name ||
      (avatar_url ?? current.avatar_url) !== current.avatar_url;
    if (isChanged) {
      await updateProfile(db, user_id, {
        ...(nick_name !== undefined && { nick_name, nick_name_key: accountKey(nick_name) ?? '' }),
        ...(avatar_url !== undefined && { avatar_url }),
      });
      await recordAccountChange(db, user_id, new Date(identity.now()));
    }
    return findUser(db, user_id);
  });
  if (!user) throw tokenInvalid();
  return { access_token: await signAccessToken(identity, user, session), user_info: userInfoOf(user) };
}

/** Only pictures that the marketplace stores are accepted, because others load them. */
function validatePicture(address: string): string {
  if (address === '' || pictureKeyOf(address) !== null) return address;
  throw validationFailed('/avatar_url', 'must be the address of a picture of this site');
}

/** Accounts that other services must read again, with public names and roles only. */
async function listAccountChanges(
  { db }: IdentityContext,
  { after, roles_after: rolesAfter }: { after: number; roles_after?: number },
) {
  const last = await lastChangeId(db, 'account_change');
  const rows = await readAccountChanges(db, { after, limit: ACCOUNT_CHANGES_AT_ONCE });
  const changes = { change_list: rows.map(toChange), last: Math.max(last, rows.at(-1)?.id ?? 0) };
  if (rolesAfter === undefined) return changes;
  const lastRole = await lastChangeId(db, 'role_change');
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

/** Everything that this service stores about the caller, without secrets. */
async function exportAccount({ db, now, methods }: IdentityContext, { user }: Caller) {
  const { user_id } = user;
  const [sessions, externals, enterprises, factor, changes, optOuts] = await Promise.all([
    readSessionsOf(db, user_id, new Date(now())),
    readExternalsOf(db, user_id),
    listEnterprises(db, user_id),
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
    mails: { language: user.language, not_wanted: optOuts },
  };
}
