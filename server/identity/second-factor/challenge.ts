import type { FastifyRequest } from 'fastify';
import type { DataOf } from '../../../shared/route.ts';
import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { findUser } from '../accounts/store.ts';
import { rememberNetwork } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import { CHALLENGE_LIFETIME } from '../lifetimes.ts';
import { continueTo } from '../page/redirect-uri.ts';
import type { Account } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import type { By } from '../sessions/store.ts';
import { checkCode, isRequiredOf, sixDigits, turnOn } from './codes.ts';
import {
  type ChallengeRow,
  countWrongCode,
  deleteChallenge,
  findChallenge,
  findSecondFactor,
  insertChallenge,
  passChallenge,
  takeChallenge,
} from './store.ts';
import { decryptSecret, encryptSecret, newSetUp, stepOf } from './totp.ts';

/** A user who has proved to know the password, and how the sign-in began. */
type Proved = By & {
  account: Account;
  source: string;
  redirectUri: URL;
  responseType: 'code' | 'none' | undefined;
  codeChallenge: string | null;
};

type Challenge = NonNullable<DataOf<(typeof signInRoutes)['signIn']>['challenge']>;

/**
 * What is asked after the password: a code of the second factor, or to set one up where it is required. Undefined when
 * the password is enough. How the sign-in began is stored with it, so that it can lead nowhere else.
 */
export async function challengeFor(
  identity: IdentityContext,
  { account, method, source, redirectUri, responseType, codeChallenge }: Proved,
): Promise<Challenge | undefined> {
  const userId = account.user_id;
  const isOn = (await findSecondFactor(identity.db, userId)) !== undefined;
  if (!isOn && !isRequiredOf(identity, account)) return undefined;
  const kind = isOn ? 'code' : 'enrol';
  const setUp = isOn ? null : newSetUp(identity, account);
  const token = newSecret(identity.random);
  await insertChallenge(identity.db, {
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

/** Wrong codes after which a sign-in has to begin again. */
const WRONG_CODES_MAX = 5;

type Handed = { challenge: string; redirect_uri: string };

/**
 * Takes the code that a sign-in waits for. One that sets a second factor up is answered with the recovery codes, and
 * goes on when they have been saved (finishEnrolment).
 * @throws CHALLENGE_INVALID when there is no such sign-in any more, SECOND_FACTOR_WRONG, CHALLENGE_SPENT after too many
 *   wrong codes, TOO_MANY_REQUESTS, ACCOUNT_DISABLED, SERVICE_UNAVAILABLE
 */
export function passSecondFactor(identity: IdentityContext): Handler<typeof signInRoutes.passSecondFactor> {
  return async ({ body, request }) => {
    const { challenge, owner } = await waiting(identity, body);
    if (challenge.kind === 'passed') throw appError('CHALLENGE_INVALID');
    const prove = challenge.kind === 'code' ? proveCode : enrol;
    const doing = { challenge, owner, typed: body.code, request };
    const recovery_codes = await prove(identity, doing).catch((error: unknown) =>
      refuse(identity, challenge, error),
    );
    const isEnrolled = challenge.kind === 'enrol';
    const { continue_to } = isEnrolled ? { continue_to: null } : await goOn(identity, challenge, request);
    return { continue_to, recovery_codes };
  };
}

/**
 * Ends a sign-in that has set a second factor up.
 * @throws CHALLENGE_INVALID, ACCOUNT_DISABLED
 */
export function finishEnrolment(identity: IdentityContext): Handler<typeof signInRoutes.finishEnrolment> {
  return async ({ body, request }) => {
    const { challenge } = await waiting(identity, body);
    const { token_hash: tokenHash } = challenge;
    const isTaken = await takeChallenge(identity.db, { tokenHash, kind: 'passed' });
    if (!isTaken) throw appError('CHALLENGE_INVALID');
    return goOn(identity, challenge, request);
  };
}

/** The sign-in that a token belongs to, if it may still go on, and to the same place. */
async function waiting(
  { db, now }: IdentityContext,
  { challenge: token, redirect_uri }: Handed,
): Promise<{ challenge: ChallengeRow; owner: Account }> {
  const found = await findChallenge(db, { tokenHash: secretHash(token), at: new Date(now()) });
  if (!found || found.redirect_uri !== redirect_uri) throw appError('CHALLENGE_INVALID');
  const user = await findUser(db, found.user_id);
  if (!user || user.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  const isSignedOutSince = user.signed_out_at !== null && user.signed_out_at >= found.created_at;
  if (isSignedOutSince) throw appError('CHALLENGE_INVALID');
  return { challenge: found, owner: user };
}

type Doing = { challenge: ChallengeRow; owner: Account; typed: string; request: FastifyRequest };

async function proveCode(identity: IdentityContext, { challenge, ...doing }: Doing): Promise<string[]> {
  const { token_hash: tokenHash } = challenge;
  await checkCode(identity, doing);
  if (!(await takeChallenge(identity.db, { tokenHash, kind: 'code' }))) throw appError('CHALLENGE_INVALID');
  return [];
}

async function enrol(identity: IdentityContext, { challenge, typed, request }: Doing): Promise<string[]> {
  const { token_hash: tokenHash, user_id: userId, sealed_secret: encryptedSecret } = challenge;
  if (encryptedSecret === null) throw appError('CHALLENGE_INVALID');
  const digits = sixDigits(typed);
  const step = digits && stepOf(decryptSecret(identity, userId, encryptedSecret), digits, identity.now());
  if (!step) throw appError('SECOND_FACTOR_WRONG');
  const until = new Date(identity.now() + CHALLENGE_LIFETIME);
  const codes = await identity.db.transaction().execute(async (db) => {
    const isFirst = await passChallenge(db, tokenHash, until);
    const made = isFirst ? await turnOn(db, identity, { userId, encryptedSecret, step }) : undefined;
    if (!made) throw appError('CHALLENGE_INVALID');
    return made;
  });
  request.log.info({ user_id: userId }, 'the second factor was turned on');
  return codes;
}

/** Counts a wrong code; the last one ends the sign-in. */
async function refuse({ db }: IdentityContext, { token_hash }: ChallengeRow, error: unknown): Promise<never> {
  if (!isAppError(error) || error.code !== 'SECOND_FACTOR_WRONG') throw error;
  if ((await countWrongCode(db, token_hash)) < WRONG_CODES_MAX) throw error;
  await deleteChallenge(db, token_hash);
  throw appError('CHALLENGE_SPENT');
}

async function goOn(identity: IdentityContext, challenge: ChallengeRow, request: FastifyRequest) {
  const { user_id, login_method: method, source } = challenge;
  await rememberNetwork(identity, user_id, request);
  request.log.info({ user_id, method, source }, 'signed in');
  return continueTo(identity, {
    userId: user_id,
    method,
    source,
    redirectUri: new URL(challenge.redirect_uri),
    responseType: challenge.response_type ?? undefined,
    codeChallenge: challenge.code_challenge,
  });
}
