import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from './client-address.ts';
import type { Count } from './counter.ts';
import { createCredit } from './credit.ts';
import { countKey, LIMITS, scaled } from './policies.ts';

/** By what the calls of somebody without a session are counted. */
const keyOf = (address: string): string => countKey('anonymous', 'address', address);
const KEYS_BEGIN = keyOf('');

/** Calls without a session of clients of whom it is known, without asking the count, that they may call. */
export type KnownCalls = {
  /** Counts a call; false: the count has to be asked. */
  mayCall: (request: IncomingMessage) => boolean;
  /** The count, from which this learns. */
  count: Count;
};

/** `factor`: multiplies the numbers of requests; 0 sets no limit at all. */
export function createKnownCalls({
  count,
  factor,
  addressOf,
  now,
}: {
  count: Count;
  factor: number;
  addressOf: ClientAddress;
  now: () => number;
}): KnownCalls {
  if (factor === 0) return { mayCall: () => true, count };
  const credit = createCredit({ count, policy: scaled(LIMITS.anonymous.address, factor), now });
  return {
    mayCall: (request) => credit.spend(keyOf(addressOf(request))),
    count: async (key, window, amount) => {
      const counted = await count(key, window, amount);
      if (key.startsWith(KEYS_BEGIN)) credit.learn(key, counted);
      return counted;
    },
  };
}
