import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdentityContext } from '../context.ts';
import { NETWORK_LIFETIME } from '../lifetimes.ts';
import type { Account } from '../schema.ts';
import {
  clearAttempts,
  countAttempt,
  forgiveAttempt,
  networkAddress,
  type Subject,
} from './attempt-limit.ts';
import { knownDevice } from './known-device.ts';
import { isNetworkKnown, noteNetwork } from './store.ts';

/** Something that only its owner should know, and that others try to guess. */
export type Guess = {
  secret: 'sign-in' | 'second factor';
  /** What was typed for the account, or its id: counted alike whether there is such an account. */
  account: string;
  /** Whose it would be; undefined when there is none. */
  owner: Account | undefined;
  request: Pick<FastifyRequest, 'headers' | 'ip'>;
};

/**
 * Counts a guess before it is looked at. A device that the account was signed in to on counts by itself, so that nobody
 * else's guesses delay it. Others count by the account and their network together and by their address; those of networks
 * that the account was never signed in from count together as well.
 * @throws TOO_MANY_REQUESTS
 */
export async function countGuess(identity: IdentityContext, guess: Guess): Promise<void> {
  const counted: Subject[] = [];
  for (const subject of await subjectsOf(identity, guess)) {
    try {
      await countAttempt(identity, subject);
      counted.push(subject);
    } catch (error) {
      // What was not looked at was no guess.
      for (const earlier of counted) await forgiveAttempt(identity, earlier);
      throw error;
    }
  }
}

/** Forgets the guesses from this place, for its last one was right; what others have guessed stays counted. */
export async function forgiveGuesses(identity: IdentityContext, guess: Guess): Promise<void> {
  for (const subject of await subjectsOf(identity, guess)) {
    const isOwn = subject.limit.endsWith(' network') || subject.limit.endsWith(' device');
    await (isOwn ? clearAttempts(identity, subject) : forgiveAttempt(identity, subject));
  }
}

/** Forgets all guesses at an account that would delay a stranger who calls: at a new secret there were none. */
export async function clearGuesses(
  identity: IdentityContext,
  { secret, account, request }: Omit<Guess, 'owner'>,
): Promise<void> {
  const network = networkAddress(request.ip);
  await clearAttempts(identity, { limit: `${secret} network`, of: `${account}\0${network}` });
  await clearAttempts(identity, { limit: `${secret} everywhere`, of: account });
}

/** Remembers the network that an account was signed in from. */
export async function rememberNetwork(
  { db, now }: Pick<IdentityContext, 'db' | 'now'>,
  userId: number,
  { ip }: Pick<FastifyRequest, 'ip'>,
): Promise<void> {
  await noteNetwork(db, networkHash(userId, ip), new Date(now()));
}

async function subjectsOf(identity: IdentityContext, guess: Guess): Promise<Subject[]> {
  const { secret, account, owner, request } = guess;
  const device = owner && knownDevice(identity, owner, request);
  if (device !== undefined) return [{ limit: `${secret} device`, of: `${account}\0${device}` }];
  const network = networkAddress(request.ip);
  const since = new Date(identity.now() - NETWORK_LIFETIME);
  const isKnown = owner && (await isNetworkKnown(identity.db, networkHash(owner.user_id, request.ip), since));
  return [
    { limit: 'sign-in address', of: network },
    { limit: `${secret} network`, of: `${account}\0${network}` },
    ...(isKnown ? [] : [{ limit: `${secret} everywhere`, of: account } as const]),
  ];
}

/** Addresses are not stored readable. */
function networkHash(userId: number, ip: string): Buffer {
  return createHash('sha256')
    .update(`network\0${userId}\0${networkAddress(ip)}`)
    .digest();
}
