import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type DataFor } from '../../../api/client.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { putNewerData } from '../../../api/query-client.ts';

/** Requests a secret, which is never cached; with the password, where a session isn't enough. */
export function useStartEnrolment() {
  return useMutation({
    gcTime: 0,
    mutationFn: (password?: string) => call('beginSecondFactor', password === undefined ? {} : { password }),
  });
}

/** Turns it on; the state is refetched once the user has saved the recovery codes. */
export function useConfirm() {
  return useMutation({ gcTime: 0, mutationFn: (code: string) => call('confirmSecondFactor', { code }) });
}

/** Creates new recovery codes, and the state around them. */
export function useRenewCodes(onCodes: (codes: string[]) => void) {
  return useMutation({
    gcTime: 0,
    mutationFn: (code: string) => call('renewRecoveryCodes', { code }),
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
}

export function useRemove(onOff: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => call('removeSecondFactor', { code }),
    onSuccess: (state) => {
      onOff();
      return putNewerData<DataFor<'readSecondFactor'>>(client, queryKeyOf('readSecondFactor', {}), state);
    },
  });
}

export function useRefreshState(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['readSecondFactor'] });
}
