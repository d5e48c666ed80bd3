import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DataOf } from '../../../shared/route.ts';
import { type SecondFactorState, secondFactorRoutes } from '../../../shared/routes/second-factor.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { isSignInRecent } from '../accounts/reauthenticate.ts';
import type { IdentityContext } from '../context.ts';
import { CHALLENGE_LIFETIME } from '../lifetimes.ts';
import { confirmPassword } from '../password/password.ts';
import { type Caller, callerOf, userGuard } from '../sessions/caller.ts';
import { checkCode, isRequiredOf, renewedCodes, sixDigits, turnOn } from './codes.ts';
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  findSetup,
  forgetSetup,
  keepSetup,
} from './store.ts';
import { decryptSecret, encryptSecret, newSetUp, type SetUp, stepOf } from './totp.ts';

/** The second factor as people keep it at their own account. */
export function serveSecondFactor(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  const doing = (request: FastifyRequest, typed: string) => ({
    caller: callerOf(request),
    typed,
    request,
  });
  implement(app, guard, secondFactorRoutes.readSecondFactor, ({ request }) =>
    readState(identity, callerOf(request)),
  );
  implement(app, guard, secondFactorRoutes.beginSecondFactor, ({ body, request }) =>
    begin(identity, { caller: callerOf(request), password: body.password, request }),
  );
  implement(app, guard, secondFactorRoutes.confirmSecondFactor, ({ body, request }) =>
    confirm(identity, doing(request, body.code)),
  );
  implement(app, guard, secondFactorRoutes.renewRecoveryCodes, ({ body, request }) =>
    renew(identity, doing(request, body.code)),
  );
  implement(app, guard, secondFactorRoutes.removeSecondFactor, ({ body, request }) =>
    remove(identity, doing(request, body.code)),
  );
}

type Codes = DataOf<(typeof secondFactorRoutes)['confirmSecondFactor']>;

/** A user at their own account, and what they typed. */
type Doing = { caller: Caller; typed: string; request: FastifyRequest };

async function readState(identity: IdentityContext, caller: Caller): Promise<SecondFactorState> {
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
 * Begins to set a second factor up. A session alone is not enough: whoever has got hold of one would keep its owner out.
 * @throws CONFLICT when it is on already, SIGN_IN_NOT_RECENT, PASSWORD_WRONG at /password, TOO_MANY_REQUESTS
 */
async function begin(
  identity: IdentityContext,
  {
    caller,
    password = '',
    request,
  }: { caller: Caller; password?: string | undefined; request: FastifyRequest },
): Promise<SetUp> {
  const { user } = caller;
  const userId = user.user_id;
  if (!isSignInRecent(identity.now, caller.session)) {
    if (password === '' || user.password_hash === null) throw appError('SIGN_IN_NOT_RECENT');
    await confirmPassword(identity, user, { typed: password, pointer: '/password', request });
  }
  if (await findSecondFactor(identity.db, userId)) throw appError('CONFLICT');
  const setUp = newSetUp(identity, user);
  await keepSetup(identity.db, {
    userId,
    encryptedSecret: encryptSecret(identity, userId, setUp.secret),
    expiresAt: new Date(identity.now() + CHALLENGE_LIFETIME),
  });
  return setUp;
}

/** @throws SECOND_FACTOR_WRONG, CONFLICT when it is on already, CHALLENGE_INVALID when nothing was begun or it has run out */
async function confirm(identity: IdentityContext, { caller, typed, request }: Doing): Promise<Codes> {
  const userId = caller.user.user_id;
  const encryptedSecret = await findSetup(identity.db, userId, new Date(identity.now()));
  if (encryptedSecret === undefined) throw appError('CHALLENGE_INVALID');
  const digits = sixDigits(typed);
  const step = digits && stepOf(decryptSecret(identity, userId, encryptedSecret), digits, identity.now());
  if (!step) throw appError('SECOND_FACTOR_WRONG');
  const recovery_codes = await identity.db.transaction().execute(async (db) => {
    const codes = await turnOn(db, identity, { userId, encryptedSecret, step });
    if (!codes) throw appError('CONFLICT');
    await forgetSetup(db, userId);
    return codes;
  });
  request.log.info({ user_id: userId }, 'the second factor was turned on');
  return { recovery_codes };
}

/** @throws NOT_FOUND when it is off, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS */
async function renew(identity: IdentityContext, { caller, typed, request }: Doing): Promise<Codes> {
  const userId = caller.user.user_id;
  if (!(await findSecondFactor(identity.db, userId))) throw appError('NOT_FOUND');
  await checkCode(identity, { owner: caller.user, typed, request });
  const recovery_codes = await identity.db.transaction().execute((db) => renewedCodes(db, identity, userId));
  request.log.info({ user_id: userId }, 'new recovery codes were made');
  return { recovery_codes };
}

/** @throws SECOND_FACTOR_REQUIRED, NOT_FOUND when it is off, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS */
async function remove(
  identity: IdentityContext,
  { caller, typed, request }: Doing,
): Promise<SecondFactorState> {
  const userId = caller.user.user_id;
  if (isRequiredOf(identity, caller.user)) throw appError('SECOND_FACTOR_REQUIRED');
  if (!(await findSecondFactor(identity.db, userId))) throw appError('NOT_FOUND');
  await checkCode(identity, { owner: caller.user, typed, request });
  await identity.db.transaction().execute((db) => deleteSecondFactor(db, userId));
  request.log.info({ user_id: userId }, 'the second factor was turned off');
  return readState(identity, caller);
}

/** Whether the password of this session was typed on our own page. */
function isTypedHere({ methods }: IdentityContext, { session }: Caller): boolean {
  const method = methods.find(
    ({ source, name }) => source === (session.source ?? name) && name === session.login_method,
  );
  return method ? method.kind !== 'redirect' : session.login_method === 'local';
}
