import type { FastifyRequest } from 'fastify';
import type { DataOf } from '../../../../shared/route.ts';
import type { signInRoutes } from '../../../../shared/routes/sign-in.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import type { Handler } from '../../../http/implement.ts';
import { findUser } from '../../accounts/store.ts';
import { CHALLENGE_LIFETIME } from '../../lifetimes.ts';
import type { Account } from '../../schema.ts';
import { newSecret, secretHash } from '../../secret.ts';
import type { By } from '../../sessions/store.ts';
import { insertRow } from '../../store.ts';
import { storeNetwork } from '../attempts/guesses.ts';
import { continueTo } from '../codes/codes.ts';
import type { SignInContext } from '../context.ts';
import {
  checkCode,
  decryptSecret,
  enableSecondFactor,
  encryptSecret,
  isRequiredOf,
  newSetUp,
  sixDigits,
  stepOf,
} from './codes.ts';
import {
  type ChallengeRow,
  consumeChallenge,
  countWrongCode,
  deleteChallenge,
  findChallenge,
  findSecondFactor,
  passChallenge,
} from './store.ts';

/** A sign-in after the password was correct. */
type PasswordSignIn = By & {
  account: Account;
  source: string;
  redirectUri: URL;
  responseType: 'code' | 'none' | undefined;
  codeChallenge: string | null;
};

type Challenge = NonNullable<DataOf<(typeof signInRoutes)['signIn']>['challenge']>;

/**
 * The challenge after the password: a second-factor code, or the setup of a required second factor. Undefined when the
 * password is enough. The parameters of the sign-in are stored with it, so that its result cannot be redirected.
 */
export async function challengeFor(
  identity: SignInContext,
  { account, method, source, redirectUri, responseType, codeChallenge }: PasswordSignIn,
): Promise<Challenge | undefined> {
  const userId = account.user_id;
  const isOn = (await findSecondFactor(identity.db, userId)) !== undefined;
  if (!isOn && !isRequiredOf(identity, account)) return undefined;
  const kind = isOn ? 'code' : 'enrol';
  const setUp = isOn ? null : newSetUp(identity, account);
  const token = newSecret(identity.random);
  await insertRow(identity.db, 'sign_in_challenge', {
    token_hash: secretHash(token),
    user_id: userId,
    kind,
    login_method: method,
    source,
    redirect_uri: redirectUri.href,
    response_type: responseType ?? null,
    code_challenge: codeChallenge,
    sealed_secret: setUp && encryptSecret(identity, userId, setUp.secret),
    created_at: new Date(identity.now()),
    expires_at: new Date(identity.now() + CHALLENGE_LIFETIME),
  });
  return { token, kind, set_up: setUp };
}

/** Wrong codes after which the sign-in must start again. */
const WRONG_CODES_MAX = 5;

type PendingSignIn = { challenge: string; redirect_uri: string };

/**
 * Checks the code of a pending sign-in. During setup it returns the recovery codes, and the sign-in continues after the user
 * has saved them (finishEnrolment).
 * @throws CHALLENGE_INVALID when there is no such pending sign-in, SECOND_FACTOR_WRONG, CHALLENGE_SPENT after too many
 *   wrong codes, TOO_MANY_REQUESTS, ACCOUNT_DISABLED, SERVICE_UNAVAILABLE
 */
export function passSecondFactor(identity: SignInContext): Handler<typeof signInRoutes.passSecondFactor> {
  return async ({ body, request }) => {
    const { challenge, owner } = await findPendingSignIn(identity, body);
    if (challenge.kind === 'passed') throw appError('CHALLENGE_INVALID');
    const verify = challenge.kind === 'code' ? verifyCode : enrolSecondFactor;
    const entry = { challenge, owner, typed: body.code, request };
    const recovery_codes = await verify(identity, entry).catch((error: unknown) =>
      countFailure(identity, challenge, error),
    );
    const isEnrolled = challenge.kind === 'enrol';
    const { continue_to } = isEnrolled
      ? { continue_to: null }
      : await completeSignIn(identity, challenge, request);
    return { continue_to, recovery_codes };
  };
}

/**
 * Completes a sign-in after the setup of the second factor.
 * @throws CHALLENGE_INVALID, ACCOUNT_DISABLED
 */
export function finishEnrolment(identity: SignInContext): Handler<typeof signInRoutes.finishEnrolment> {
  return async ({ body, request }) => {
    const { challenge } = await findPendingSignIn(identity, body);
    const { token_hash: tokenHash } = challenge;
    const isTaken = await consumeChallenge(identity.db, { tokenHash, kind: 'passed' });
    if (!isTaken) throw appError('CHALLENGE_INVALID');
    return completeSignIn(identity, challenge, request);
  };
}

/** The pending sign-in of a token, if it is valid and has the same return address. */
async function findPendingSignIn(
  { db, now }: SignInContext,
  { challenge: token, redirect_uri }: PendingSignIn,
): Promise<{ challenge: ChallengeRow; owner: Account }> {
  const found = await findChallenge(db, secretHash(token), new Date(now()));
  if (!found || found.redirect_uri !== redirect_uri) throw appError('CHALLENGE_INVALID');
  const user = await findUser(db, found.user_id);
  if (!user || user.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  const wasSignedOut = user.signed_out_at !== null && user.signed_out_at >= found.created_at;
  if (wasSignedOut) throw appError('CHALLENGE_INVALID');
  return { challenge: found, owner: user };
}

type CodeEntry = { challenge: ChallengeRow; owner: Account; typed: string; request: FastifyRequest };

async function verifyCode(identity: SignInContext, { challenge, ...entry }: CodeEntry): Promise<string[]> {
  const { token_hash: tokenHash } = challenge;
  await checkCode(identity, entry);
  if (!(await consumeChallenge(identity.db, { tokenHash, kind: 'code' })))
    throw appError('CHALLENGE_INVALID');
  return [];
}

async function enrolSecondFactor(
  identity: SignInContext,
  { challenge, typed, request }: CodeEntry,
): Promise<string[]> {
  const { token_hash: tokenHash, user_id: userId, sealed_secret: encryptedSecret } = challenge;
  if (encryptedSecret === null) throw appError('CHALLENGE_INVALID');
  const digits = sixDigits(typed);
  const step = digits && stepOf(decryptSecret(identity, userId, encryptedSecret), digits, identity.now());
  if (!step) throw appError('SECOND_FACTOR_WRONG');
  const until = new Date(identity.now() + CHALLENGE_LIFETIME);
  const recoveryCodes = await identity.db.transaction().execute(async (db) => {
    const isFirst = await passChallenge(db, tokenHash, until);
    const codes = isFirst
      ? await enableSecondFactor(db, identity, { userId, encryptedSecret, step })
      : undefined;
    if (!codes) throw appError('CHALLENGE_INVALID');
    return codes;
  });
  request.log.info({ user_id: userId }, 'second factor enabled');
  return recoveryCodes;
}

/** Counts a wrong code; the last allowed one ends the sign-in. */
async function countFailure(
  { db, metrics }: SignInContext,
  { token_hash, login_method }: ChallengeRow,
  error: unknown,
): Promise<never> {
  if (!isAppError(error) || error.code !== 'SECOND_FACTOR_WRONG') throw error;
  metrics.countSignIn(login_method, 'second_factor_refused');
  if ((await countWrongCode(db, token_hash)) < WRONG_CODES_MAX) throw error;
  await deleteChallenge(db, token_hash);
  throw appError('CHALLENGE_SPENT');
}

async function completeSignIn(identity: SignInContext, challenge: ChallengeRow, request: FastifyRequest) {
  const { user_id, login_method: method, source } = challenge;
  await storeNetwork(identity, user_id, request);
  request.log.info({ user_id, method, source }, 'signed in');
  identity.metrics.countSignIn(method, 'success');
  return continueTo(identity, {
    userId: user_id,
    method,
    source,
    redirectUri: new URL(challenge.redirect_uri),
    responseType: challenge.response_type ?? undefined,
    codeChallenge: challenge.code_challenge,
  });
}
