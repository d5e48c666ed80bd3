import { useMutation } from '@tanstack/react-query';
import type { Challenge } from '../../../shared/routes/sign-in.ts';
import { call } from '../../api/client.ts';
import type { SignInValues } from './sign-in-fields.ts';
import type { SignInMode, SignInParameters } from './sign-in-parameters.ts';

/** Sends a form and, once the account is accepted, leaves for where its owner came from, unless more is wanted first. */
export function useAttempt(
  mode: SignInMode,
  parameters: SignInParameters,
  onChallenge: (challenge: Challenge) => void,
) {
  return useMutation({
    mutationFn: async ({ account, email, nick_name, password }: SignInValues) => {
      if (mode === 'sign_in') return call('signIn', { ...parameters, account: account.trim(), password });
      const person = { email: email.trim(), nick_name: nick_name.trim(), password };
      return { ...(await call('signUp', { ...parameters, ...person })), challenge: null };
    },
    onSuccess: ({ continue_to, challenge }) => {
      if (challenge) onChallenge(challenge);
      else if (continue_to !== null) location.replace(continue_to);
    },
  });
}
