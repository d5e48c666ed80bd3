import { useState } from 'react';
import type { Challenge } from '../../../../shared/routes/sign-in.ts';
import type { Ended } from './ended.ts';

/** What a sign-in waits for after the password, and why an earlier one has to begin again. */
export function useChallenge() {
  const [challenge, setChallenge] = useState<Challenge>();
  const [ended, setEnded] = useState<Ended>();
  return {
    challenge,
    ended,
    begin: (next: Challenge): void => {
      setChallenge(next);
      setEnded(undefined);
    },
    end: (why?: Ended): void => {
      setChallenge(undefined);
      setEnded(why);
    },
  };
}
