import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Takes the second factor away that a new password has left, with one of its codes. */
export function useRemoveAfterReset(token: string) {
  return useMutation({
    mutationFn: (code: string) => call('removeSecondFactorAfterReset', { token, code: code.trim() }),
  });
}
