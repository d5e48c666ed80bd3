import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { SignInValues } from './sign-in-fields.ts';
import type { SignInMode, SignInParameters } from './sign-in-parameters.ts';

/** Sends a form and, once the account is accepted, leaves for where its owner came from. */
export function useAttempt(mode: SignInMode, parameters: SignInParameters) {
  return useMutation({
    mutationFn: ({ account, email, nick_name, password }: SignInValues) =>
      mode === 'sign_in'
        ? call('signIn', { ...parameters, account: account.trim(), password })
        : call('signUp', { ...parameters, email: email.trim(), nick_name: nick_name.trim(), password }),
    onSuccess: ({ continue_to }) => location.replace(continue_to),
  });
}
