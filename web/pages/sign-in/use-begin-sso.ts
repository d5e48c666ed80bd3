import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { SignInParameters } from './sign-in-parameters.ts';

/**
 * Goes to another sign-in page, in the whole window: hardly any of them lets itself be framed. It leads back to where a
 * sign-in in a frame would have led, too.
 */
export function useBeginSso(parameters: SignInParameters) {
  return useMutation({
    mutationFn: (source: string) => call('beginSso', { ...parameters, source }),
    onSuccess: ({ go_to }) => (window.top ?? window).location.assign(go_to),
  });
}
