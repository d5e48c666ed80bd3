/** How often something may be tried before each further try has to wait twice as long. Times in milliseconds. */
export type Policy = {
  /** Tries without a delay. */
  free: number;
  /** Delay after the first try beyond; doubles from there. */
  delay: number;
  delayMax: number;
  /** Quiet time after which counting begins again. */
  forgetAfter: number;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Of one account from one network, or from one device that it is known by. */
const ONE_PLACE = { free: 5, delay: 2 * SECOND, delayMax: 15 * MINUTE, forgetAfter: 24 * HOUR };

/**
 * Mails that anybody may have sent to somebody: no further apart than a link to a new password is good, so that whoever
 * fills a mailbox cannot keep a link that works out of it.
 */
const MAILBOX = { free: 3, delay: MINUTE, delayMax: 30 * MINUTE, forgetAfter: 24 * HOUR };

/**
 * An address may be that of a whole office, so it has more tries than an account there. `everywhere` bounds what many
 * strange networks guess together at one account: some 200 passwords a day, or 120 codes of six digits.
 */
export const POLICIES = {
  'sign-in network': ONE_PLACE,
  'sign-in device': ONE_PLACE,
  'sign-in everywhere': { ...ONE_PLACE, free: 100 },
  'sign-in address': { free: 30, delay: SECOND, delayMax: 15 * MINUTE, forgetAfter: HOUR },
  'second factor network': ONE_PLACE,
  'second factor device': ONE_PLACE,
  'second factor everywhere': { ...ONE_PLACE, free: 20 },
  'sign-up address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset network': { free: 3, delay: MINUTE, delayMax: 4 * HOUR, forgetAfter: 24 * HOUR },
  'reset address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset mailbox': MAILBOX,
  'reset device': MAILBOX,
  'sign-up mailbox': MAILBOX,
  'address mailbox': MAILBOX,
} as const satisfies Record<string, Policy>;

export type Limit = keyof typeof POLICIES;

/** Quiet time after which no policy remembers an attempt. */
export const LONGEST_MEMORY = Math.max(...Object.values(POLICIES).map((policy) => policy.forgetAfter));

/** How long the next try has to wait after so many. */
export function delayAfter(policy: Policy, attempts: number): number {
  if (attempts < policy.free) return 0;
  return Math.min(policy.delay * 2 ** (attempts - policy.free), policy.delayMax);
}
