import { boundedMap } from '../../memory/bounded-map.ts';
import { ageOf, answerWeight, type SharedAnswer } from './shared-answer.ts';

/** From the store, from the store while it is made anew, from a request for it that was under way, or made. */
export type CacheOutcome = 'hit' | 'stale' | 'shared' | 'miss';

export type TakeOptions = {
  /**
   * Asked before anything is made for this client, and not for what is there or under way. What it throws refuses a
   * client for whom there is nothing; one who has got the old answer learns nothing of it.
   */
  mayMake?: () => Promise<void>;
};

const everybodyMay = async (): Promise<void> => undefined;

export type AnswerCache = {
  /**
   * The answer kept under this key, or the one that `make` brings. Clients who ask at the same time share one `make`;
   * only answers with status 200 that may be kept are, for `lifetime` milliseconds. For as long again the old answer
   * is given at once while one request for all makes it anew (RFC 5861 section 3); when that fails, the old one stands
   * until its time is over. One that was made anew and is the same goes on being kept, with its compressed forms.
   */
  take(
    key: string,
    lifetime: number,
    make: () => Promise<SharedAnswer>,
    options?: TakeOptions,
  ): Promise<SharedAnswer>;
};

/** Short-lived answers to anonymous requests, at most `bytes` of them. */
export function createAnswerCache({
  bytes,
  now,
  onTake = () => undefined,
  onRenewalFailed = () => undefined,
}: {
  bytes: number;
  now: () => number;
  onTake?: (outcome: CacheOutcome) => void;
  /** Told why an answer could not be made anew behind the back of who has got the old one. */
  onRenewalFailed?: (error: unknown) => void;
}): AnswerCache {
  const kept = boundedMap<SharedAnswer>({ limit: bytes, weigh: answerWeight });
  const underWay = new Map<string, Promise<SharedAnswer>>();
  /** Keys of old answers for which somebody is asked whether they may have them made. */
  const asked = new Set<string>();

  async function fill(
    key: string,
    lifetime: number,
    make: () => Promise<SharedAnswer>,
  ): Promise<SharedAnswer> {
    try {
      const answer = sameAs(kept.get(key), await make());
      const mayKeep = answer.status === 200 && answer.mayKeep;
      if (mayKeep) {
        answer.kept = { at: now(), lifetime };
        kept.set(key, answer);
      } else if (answer.status < 500) kept.delete(key);
      return answer;
    } finally {
      underWay.delete(key);
    }
  }

  function begin(key: string, lifetime: number, make: () => Promise<SharedAnswer>): Promise<SharedAnswer> {
    const filling = fill(key, lifetime, make);
    underWay.set(key, filling);
    return filling;
  }

  async function renew(
    key: string,
    lifetime: number,
    make: () => Promise<SharedAnswer>,
    mayMake: () => Promise<void>,
  ): Promise<void> {
    if (underWay.has(key) || asked.has(key)) return;
    asked.add(key);
    const isAllowed = await mayMake()
      .then(
        () => true,
        () => false,
      )
      .finally(() => asked.delete(key));
    if (isAllowed && !underWay.has(key)) await begin(key, lifetime, make);
  }

  return {
    async take(key, lifetime, make, { mayMake = everybodyMay } = {}) {
      const found = kept.get(key);
      const age = found ? ageOf(found, now()) : Number.POSITIVE_INFINITY;
      if (found && age < lifetime) {
        onTake('hit');
        return found;
      }
      const current = underWay.get(key);
      if (found && age < 2 * lifetime) {
        onTake('stale');
        renew(key, lifetime, make, mayMake).catch(onRenewalFailed);
        return found;
      }
      onTake(current ? 'shared' : 'miss');
      if (current) return current;
      // Without anybody to ask, the next one who comes in this turn must find it under way.
      if (mayMake !== everybodyMay) await mayMake();
      return underWay.get(key) ?? begin(key, lifetime, make);
    },
  };
}

/** The answer that was there when nothing has changed: its other forms have been made already. */
function sameAs(old: SharedAnswer | undefined, made: SharedAnswer): SharedAnswer {
  const isSame = old?.etag === made.etag && old.status === made.status && old.mayKeep === made.mayKeep;
  return old && isSame ? old : made;
}
