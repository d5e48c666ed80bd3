import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { KNOWN_DEVICES_HEADER, KNOWN_DEVICES_MAX } from '../../../../shared/user-service.ts';
import { networkOf } from '../../../http/client-address.ts';
import { isAppError } from '../../../http/errors.ts';
import { DEVICE_LIFETIME, NETWORK_LIFETIME } from '../../lifetimes.ts';
import type { Account } from '../../schema.ts';
import { decryptJson } from '../../secret.ts';
import type { SignInContext } from '../context.ts';
import { consumeAttempt, refundAttempt, resetAttempts, type Subject } from './rate-limit.ts';
import { isNetworkKnown, upsertNetwork } from './store.ts';

/** An attempt to enter a secret (password or second factor) that an attacker may be guessing. */
export type Guess = {
  secret: 'sign-in' | 'second factor';
  /** The typed account, or its id; counted in the same way when no such account exists. */
  account: string;
  /** Undefined when no such account exists. */
  owner: Account | undefined;
  request: Pick<FastifyRequest, 'headers' | 'clientAddress'>;
};

/** A check of a guess; it calls `onWrong` if the secret was compared and is wrong, though it fails for another reason. */
type CheckSecret<T> = (onWrong: () => void) => Promise<T>;

/**
 * Counts a guess and checks it. A correct one resets the limits of its client; one that nobody could check, because a directory
 * or a service did not answer, does not count.
 * @throws TOO_MANY_REQUESTS, and what the check throws
 */
export async function checkGuess<T>(
  identity: SignInContext,
  guess: Guess,
  check: CheckSecret<T>,
): Promise<T> {
  const subjects = await consumeGuess(identity, guess);
  let isWrong = false;
  const result = await check(() => {
    isWrong = true;
  }).catch(async (error: unknown) => {
    const isAnswer = isWrong || (isAppError(error) && error.statusCode < 500);
    if (!isAnswer) for (const subject of subjects) await refundAttempt(identity, subject);
    throw error;
  });
  await refundGuesses(identity, guess);
  return result;
}

/**
 * Counts a guess before it is checked, and returns where. A known device of the account has its own limit, so that guesses of others do not
 * delay it. Other clients are limited per account and network and per address; clients from networks that the account never
 * signed in from also share one limit.
 * @throws TOO_MANY_REQUESTS
 */
async function consumeGuess(identity: SignInContext, guess: Guess): Promise<Subject[]> {
  const counted: Subject[] = [];
  for (const subject of await subjectsOf(identity, guess)) {
    try {
      await consumeAttempt(identity, subject);
      counted.push(subject);
    } catch (error) {
      // The guess is not checked, so it must not count.
      for (const earlier of counted) await refundAttempt(identity, earlier);
      throw error;
    }
  }
  return counted;
}

/** After a correct guess: resets the limits of this client, and refunds one attempt of the shared limits. */
async function refundGuesses(identity: SignInContext, guess: Guess): Promise<void> {
  for (const subject of await subjectsOf(identity, guess)) {
    const isOfClient = subject.limit.endsWith(' network') || subject.limit.endsWith(' device');
    await (isOfClient ? resetAttempts(identity, subject) : refundAttempt(identity, subject));
  }
}

/** After a new secret: resets the limits that would delay an unknown device, as nobody has guessed the new secret yet. */
export async function resetGuesses(
  identity: SignInContext,
  { secret, account, request }: Omit<Guess, 'owner'>,
): Promise<void> {
  const network = networkOf(request.clientAddress);
  await resetAttempts(identity, { limit: `${secret} network`, of: `${account}\0${network}` });
  await resetAttempts(identity, { limit: `${secret} everywhere`, of: account });
}

/** Stores the network that a user signed in from. */
export async function storeNetwork(
  { db, now }: Pick<SignInContext, 'db' | 'now'>,
  userId: number,
  { clientAddress }: Pick<FastifyRequest, 'clientAddress'>,
): Promise<void> {
  await upsertNetwork(db, networkHash(userId, clientAddress), new Date(now()));
}

async function subjectsOf(identity: SignInContext, guess: Guess): Promise<Subject[]> {
  const { secret, account, owner, request } = guess;
  const device = owner && knownDevice(identity, owner, request);
  if (device !== undefined) return [{ limit: `${secret} device`, of: `${account}\0${device}` }];
  const network = networkOf(request.clientAddress);
  const since = new Date(identity.now() - NETWORK_LIFETIME);
  const isKnown =
    owner && (await isNetworkKnown(identity.db, networkHash(owner.user_id, request.clientAddress), since));
  return [
    { limit: 'sign-in address', of: network },
    { limit: `${secret} network`, of: `${account}\0${network}` },
    ...(isKnown ? [] : [{ limit: `${secret} everywhere`, of: account } as const]),
  ];
}

/** Addresses are stored as hashes only. */
function networkHash(userId: number, address: string): Buffer {
  return createHash('sha256')
    .update(`network\0${userId}\0${networkOf(address)}`)
    .digest();
}

type Context = Pick<SignInContext, 'now' | 'encryptor'>;
type Owner = Pick<Account, 'user_id' | 'devices_since'>;

/** Purpose of the encryption, so that no other encrypted value is accepted as a device token. */
const PURPOSE = 'known device';
const TOKEN_MAX = 400;
const DeviceToken = Type.Object({
  user_id: Type.Integer(),
  device: Type.String({ format: 'uuid' }),
  since: Type.Integer(),
});

/**
 * A token that makes the device of a sign-in known: valid for a year, for this account only, and until the next new
 * password. A known device keeps its id.
 */
export function deviceToken(
  context: Context,
  owner: Owner,
  request: Pick<FastifyRequest, 'headers'>,
): string {
  const device = knownDevice(context, owner, request) ?? randomUUID();
  return context.encryptor.encrypt(
    JSON.stringify({ user_id: owner.user_id, device, since: context.now() }),
    PURPOSE,
  );
}

/** The id of the request's device if this account has signed in on it; the gateway sends the device tokens. */
export function knownDevice(
  { now, encryptor }: Context,
  { user_id, devices_since }: Owner,
  { headers }: Pick<FastifyRequest, 'headers'>,
): string | undefined {
  const header = headers[KNOWN_DEVICES_HEADER];
  if (typeof header !== 'string') return undefined;
  for (const token of header.split(',', KNOWN_DEVICES_MAX)) {
    if (token.length > TOKEN_MAX) continue;
    const known = decryptJson(encryptor, DeviceToken, token.trim(), PURPOSE);
    if (known?.user_id !== user_id) continue;
    const isRevoked = devices_since !== null && known.since <= devices_since.getTime();
    if (!isRevoked && now() - known.since < DEVICE_LIFETIME) return known.device;
  }
  return undefined;
}
