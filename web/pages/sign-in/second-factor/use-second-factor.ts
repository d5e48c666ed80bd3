import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import type { SignInParameters } from '../sign-in-parameters.ts';
import { type Ended, endedBy } from './ended.ts';

type Means = {
  /** Names the sign-in that waits. */
  token: string;
  parameters: SignInParameters;
  onEnded: (why?: Ended) => void;
};

const leaveFor = (url: string | null): void => {
  if (url !== null) location.replace(url);
};

/** Sends the code and leaves for where its owner came from, unless recovery codes are to be kept first. */
export function usePass({ token, parameters: { redirect_uri }, onEnded }: Means) {
  return useMutation({
    gcTime: 0,
    mutationFn: (code: string) => call('passSecondFactor', { challenge: token, redirect_uri, code }),
    onSuccess: ({ continue_to }) => leaveFor(continue_to),
    onError: (error) => tell(error, onEnded),
  });
}

/** Goes on once the recovery codes have been kept. */
export function useFinish({ token, parameters: { redirect_uri }, onEnded }: Means) {
  return useMutation({
    mutationFn: () => call('finishEnrolment', { challenge: token, redirect_uri }),
    onSuccess: ({ continue_to }) => leaveFor(continue_to),
    onError: (error) => tell(error, onEnded),
  });
}

function tell(error: Parameters<typeof endedBy>[0], onEnded: Means['onEnded']): void {
  const why = endedBy(error);
  if (why) onEnded(why);
}
