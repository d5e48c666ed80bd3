import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DataOf } from '../../../../shared/route.ts';
import { type SecondFactorState, secondFactorRoutes } from '../../../../shared/routes/second-factor.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { CHALLENGE_LIFETIME } from '../../lifetimes.ts';
import { type Caller, callerOf } from '../../sessions/caller.ts';
import type { SignInContext } from '../context.ts';
import { confirmPassword, isSignInRecent } from '../reauthenticate.ts';
import {
  checkCode,
  decryptSecret,
  enableSecondFactor,
  encryptSecret,
  isRequiredOf,
  newSetUp,
  regenerateRecoveryCodes,
  type SetUp,
  sixDigits,
  stepOf,
} from './codes.ts';
import {
  countRecoveryCodes,
  deleteSecondFactor,
  deleteSetup,
  findSecondFactor,
  findSetup,
  upsertSetup,
} from './store.ts';

/** The second factor of a user's own account. */
export function serveSecondFactor(app: FastifyInstance): void {
  const { identity } = app;
  const entryOf = (request: FastifyRequest, typed: string) => ({ caller: callerOf(request), typed, request });
  implement(app, secondFactorRoutes.readSecondFactor, ({ request }) =>
    readState(identity, callerOf(request)),
  );
  implement(app, secondFactorRoutes.beginSecondFactor, ({ body, request }) =>
    begin(identity, entryOf(request, body.password ?? '')),
  );
  implement(app, secondFactorRoutes.confirmSecondFactor, ({ body, request }) =>
    confirm(identity, entryOf(request, body.code)),
  );
  implement(app, secondFactorRoutes.renewRecoveryCodes, ({ body, request }) =>
    regenerate(identity, entryOf(request, body.code)),
  );
  implement(app, secondFactorRoutes.removeSecondFactor, ({ body, request }) =>
    remove(identity, entryOf(request, body.code)),
  );
}

type Codes = DataOf<(typeof secondFactorRoutes)['confirmSecondFactor']>;

/** A typed code or password. */
type Entry = { caller: Caller; typed: string; request: FastifyRequest };

async function readState(identity: SignInContext, caller: Caller): Promise<SecondFactorState> {
  const { user_id } = caller.user;
  const factor = await findSecondFactor(identity.db, user_id);
  return {
    since: factor?.created_at.toISOString() ?? null,
    recovery_codes_left: factor ? await countRecoveryCodes(identity.db, user_id) : 0,
    is_required: isRequiredOf(identity, caller.user),
    is_elsewhere: !isTypedHere(identity, caller),
    confirm: isSignInRecent(identity.now, caller.session)
      ? 'none'
      : caller.user.password_hash === null
        ? 'sign_in'
        : 'password',
  };
}

/**
 * Starts the setup of a second factor. A session alone is not enough: with a stolen session an attacker could lock the
 * owner out.
 * @throws CONFLICT when it is enabled already, SIGN_IN_NOT_RECENT, PASSWORD_WRONG at /password, TOO_MANY_REQUESTS
 */
async function begin(identity: SignInContext, { caller, typed, request }: Entry): Promise<SetUp> {
  const { user } = caller;
  const userId = user.user_id;
  if (!isSignInRecent(identity.now, caller.session)) {
    if (typed === '' || user.password_hash === null) throw appError('SIGN_IN_NOT_RECENT');
    await confirmPassword(identity, user, { typed, pointer: '/password', request });
  }
  if (await findSecondFactor(identity.db, userId)) throw appError('CONFLICT');
  const setUp = newSetUp(identity, user);
  await upsertSetup(identity.db, {
    userId,
    encryptedSecret: encryptSecret(identity, userId, setUp.secret),
    expiresAt: new Date(identity.now() + CHALLENGE_LIFETIME),
  });
  return setUp;
}

/** @throws SECOND_FACTOR_WRONG, CONFLICT when it is enabled already, CHALLENGE_INVALID without a pending setup */
async function confirm(identity: SignInContext, { caller, typed, request }: Entry): Promise<Codes> {
  const userId = caller.user.user_id;
  const encryptedSecret = await findSetup(identity.db, userId, new Date(identity.now()));
  if (encryptedSecret === undefined) throw appError('CHALLENGE_INVALID');
  const digits = sixDigits(typed);
  const step = digits && stepOf(decryptSecret(identity, userId, encryptedSecret), digits, identity.now());
  if (!step) throw appError('SECOND_FACTOR_WRONG');
  const recovery_codes = await identity.db.transaction().execute(async (db) => {
    const codes = await enableSecondFactor(db, identity, { userId, encryptedSecret, step });
    if (!codes) throw appError('CONFLICT');
    await deleteSetup(db, userId);
    return codes;
  });
  request.log.info({ user_id: userId }, 'second factor enabled');
  return { recovery_codes };
}

/** @throws NOT_FOUND when it is disabled, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS */
async function regenerate(identity: SignInContext, { caller, typed, request }: Entry): Promise<Codes> {
  const userId = caller.user.user_id;
  if (!(await findSecondFactor(identity.db, userId))) throw appError('NOT_FOUND');
  await checkCode(identity, { owner: caller.user, typed, request });
  const recovery_codes = await identity.db
    .transaction()
    .execute((db) => regenerateRecoveryCodes(db, identity, userId));
  request.log.info({ user_id: userId }, 'recovery codes regenerated');
  return { recovery_codes };
}

/** @throws SECOND_FACTOR_REQUIRED, NOT_FOUND when it is disabled, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS */
async function remove(
  identity: SignInContext,
  { caller, typed, request }: Entry,
): Promise<SecondFactorState> {
  const userId = caller.user.user_id;
  if (isRequiredOf(identity, caller.user)) throw appError('SECOND_FACTOR_REQUIRED');
  if (!(await findSecondFactor(identity.db, userId))) throw appError('NOT_FOUND');
  await checkCode(identity, { owner: caller.user, typed, request });
  await identity.db.transaction().execute((db) => deleteSecondFactor(db, userId));
  request.log.info({ user_id: userId }, 'second factor disabled');
  return readState(identity, caller);
}

/** Whether the user of this session typed a password on our own page. */
function isTypedHere({ methods }: SignInContext, { session }: Caller): boolean {
  const method = methods.find(
    ({ source, name }) => source === (session.source ?? name) && name === session.login_method,
  );
  return method ? method.kind !== 'redirect' : session.login_method === 'local';
}
