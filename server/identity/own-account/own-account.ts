import type { FastifyInstance } from 'fastify';
import { accountCalls } from '../../../shared/identity-calls.ts';
import { pictureKeyOf } from '../../../shared/media.ts';
import type { BodyOf } from '../../../shared/route.ts';
import { accountRoutes, ownEnterpriseRoutes } from '../../../shared/routes/account.ts';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { tokenInvalid } from '../../http/authentication.ts';
import { implement } from '../../http/implement.ts';
import { accountKey, userInfoOf, validateNickName, validationFailed } from '../accounts/account.ts';
import { lockAccount, recordAccountChange } from '../accounts/change-store.ts';
import { findUser, listEnterprises } from '../accounts/store.ts';
import { readOptOuts } from '../mail/store.ts';
import { implementBearerCall } from '../sessions/bearer-call.ts';
import { type Caller, callerOf } from '../sessions/caller.ts';
import { toSession } from '../sessions/sessions.ts';
import { readSessionsOf } from '../sessions/store.ts';
import { signAccessToken } from '../sessions/tokens.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { readExternalsOf } from '../sign-in/federation/store.ts';
import { reauthenticate, requiredProof } from '../sign-in/reauthenticate.ts';
import { findSecondFactor } from '../sign-in/second-factor/store.ts';
import { deleteAccount, readDeletion } from './deletion.ts';
import { readChangesAbout, readToolChangesBy, updateProfile } from './store.ts';

/** A user's own account and enterprises. */
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
}

/**
 * Changes name or picture of the caller's account. Returns an access token with the new values.
 * @throws VALIDATION_FAILED at /nick_name or /avatar_url, TOKEN_INVALID when the account was deleted in the meantime
 */
async function changeProfile(
  identity: SignInContext,
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

/** Everything that this service stores about the caller, without secrets. */
async function exportAccount({ db, now, methods }: SignInContext, { user }: Caller) {
  const { user_id } = user;
  const [sessions, externals, enterprises, factor, changes, toolChanges, optOuts] = await Promise.all([
    readSessionsOf(db, user_id, { at: new Date(now()) }),
    readExternalsOf(db, user_id),
    listEnterprises(db, user_id),
    findSecondFactor(db, user_id),
    readChangesAbout(db, user_id),
    readToolChangesBy(db, user_id),
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
    tool_changes: toolChanges,
    mails: { language: user.language, not_wanted: optOuts },
  };
}
