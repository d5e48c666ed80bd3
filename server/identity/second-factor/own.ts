import type { FastifyBaseLogger } from 'fastify';
import type { DataOf } from '../../../shared/route.ts';
import type { SecondFactorState, secondFactorRoutes } from '../../../shared/routes/second-factor.ts';
import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { CHALLENGE_LIFETIME } from '../lifetimes.ts';
import type { Caller } from '../sessions/caller.ts';
import { checkCode, sixDigits } from './check-code.ts';
import { isRequiredOf } from './required.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';
import { newSetUp, type SetUp } from './setup.ts';
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  findSetup,
  forgetSetup,
  keepSetup,
} from './store.ts';
import { stepOf } from './totp.ts';
import { renewedCodes, turnOn } from './turn-on.ts';

type Codes = DataOf<(typeof secondFactorRoutes)['confirmSecondFactor']>;

/** A person at his own account, and what he typed. */
type Doing = { caller: Caller; typed: string; log: FastifyBaseLogger };

export async function readState(identity: IdentityContext, caller: Caller): Promise<SecondFactorState> {
  const { user_id } = caller.person;
  const factor = await findSecondFactor(identity.db, user_id);
  return {
    since: factor?.created_at.toISOString() ?? null,
    recovery_codes_left: factor ? await countRecoveryCodes(identity.db, user_id) : 0,
    is_required: isRequiredOf(identity, caller.person),
    is_elsewhere: !isTypedHere(identity, caller),
  };
}

/** @throws CONFLICT when it is on already */
export async function begin(identity: IdentityContext, { person }: Caller): Promise<SetUp> {
  const userId = person.user_id;
  if (await findSecondFactor(identity.db, userId)) throw appError('CONFLICT');
  const setUp = newSetUp(identity, person);
  await keepSetup(identity.db, {
    userId,
    sealedSecret: sealSecret(identity, userId, setUp.secret),
    expiresAt: new Date(identity.now() + CHALLENGE_LIFETIME),
  });
  return setUp;
}

/** @throws SECOND_FACTOR_WRONG, CONFLICT when it is on already, CHALLENGE_INVALID when nothing was begun or it has run out */
export async function confirm(identity: IdentityContext, { caller, typed, log }: Doing): Promise<Codes> {
  const userId = caller.person.user_id;
  const sealedSecret = await findSetup(identity.db, userId, new Date(identity.now()));
  if (sealedSecret === undefined) throw appError('CHALLENGE_INVALID');
  const digits = sixDigits(typed);
  const step = digits && stepOf(openSecret(identity, userId, sealedSecret), digits, identity.now());
  if (!step) throw appError('SECOND_FACTOR_WRONG');
  const recovery_codes = await identity.db.transaction().execute(async (db) => {
    const codes = await turnOn(db, identity, { userId, sealedSecret, step });
    if (!codes) throw appError('CONFLICT');
    await forgetSetup(db, userId);
    return codes;
  });
  log.info({ user_id: userId }, 'the second factor was turned on');
  return { recovery_codes };
}

/** @throws NOT_FOUND when it is off, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS */
export async function renew(identity: IdentityContext, { caller, typed, log }: Doing): Promise<Codes> {
  const userId = caller.person.user_id;
  if (!(await findSecondFactor(identity.db, userId))) throw appError('NOT_FOUND');
  await checkCode(identity, { userId, typed }, log);
  const recovery_codes = await identity.db.transaction().execute((db) => renewedCodes(db, identity, userId));
  log.info({ user_id: userId }, 'the recovery codes were made anew');
  return { recovery_codes };
}

/** @throws SECOND_FACTOR_REQUIRED, NOT_FOUND when it is off, SECOND_FACTOR_WRONG, TOO_MANY_REQUESTS */
export async function remove(
  identity: IdentityContext,
  { caller, typed, log }: Doing,
): Promise<SecondFactorState> {
  const userId = caller.person.user_id;
  if (isRequiredOf(identity, caller.person)) throw appError('SECOND_FACTOR_REQUIRED');
  if (!(await findSecondFactor(identity.db, userId))) throw appError('NOT_FOUND');
  await checkCode(identity, { userId, typed }, log);
  await identity.db.transaction().execute((db) => deleteSecondFactor(db, userId));
  log.info({ user_id: userId }, 'the second factor was turned off');
  return readState(identity, caller);
}

/** Whether the password of this session was typed on our own page. */
function isTypedHere({ methods }: IdentityContext, { session }: Caller): boolean {
  const method = methods.find(
    ({ source, name }) => source === (session.source ?? name) && name === session.login_method,
  );
  return method ? method.kind !== 'redirect' : session.login_method === 'local';
}
