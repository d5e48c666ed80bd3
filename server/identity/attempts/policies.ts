/** How often something may be tried before each further try has to wait twice as long. Times in milliseconds. */
export type Policy = {
  /** Tries without a delay. */
  free: number;
  /** Delay after the first try beyond; doubles from there. */
  delay: number;
  delayMax: number;
  /** Quiet time after which counting begins anew. */
  forgetAfter: number;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An address may be that of a whole office, so it has more tries than an account. */
export const POLICIES = {
  'sign-in account': { free: 5, delay: 2 * SECOND, delayMax: 15 * MINUTE, forgetAfter: 24 * HOUR },
  'sign-in address': { free: 30, delay: SECOND, delayMax: 15 * MINUTE, forgetAfter: HOUR },
  'second factor': { free: 5, delay: 2 * SECOND, delayMax: 15 * MINUTE, forgetAfter: 24 * HOUR },
  'sign-up address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
  'reset account': { free: 3, delay: MINUTE, delayMax: 4 * HOUR, forgetAfter: 24 * HOUR },
  'reset address': { free: 30, delay: 2 * SECOND, delayMax: HOUR, forgetAfter: 24 * HOUR },
} as const satisfies Record<string, Policy>;

export type Limit = keyof typeof POLICIES;

/** Quiet time after which no policy remembers an attempt. */
export const LONGEST_MEMORY = Math.max(...Object.values(POLICIES).map((policy) => policy.forgetAfter));

/** How long the next try has to wait after so many. */
export function delayAfter(policy: Policy, attempts: number): number {
  if (attempts < policy.free) return 0;
  return Math.min(policy.delay * 2 ** (attempts - policy.free), policy.delayMax);
}
