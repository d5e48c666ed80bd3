import { useQueryClient } from '@tanstack/react-query';
import type { DataFor } from '../../../api/client.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { putNewerData } from '../../../api/query-client.ts';
import { useOperation } from '../../../api/use-operation.ts';

/** Requests a secret, which is never cached; with the password, where a session isn't enough. */
export function useStartEnrolment() {
  return useOperation(
    'beginSecondFactor',
    (password: string | undefined) => (password === undefined ? {} : { password }),
    { gcTime: 0 },
  );
}

/** Turns it on; the state is refetched once the user has saved the recovery codes. */
export function useConfirm() {
  return useOperation('confirmSecondFactor', (code: string) => ({ code }), { gcTime: 0 });
}

/** Creates new recovery codes, and the state around them. */
export function useRenewCodes(onCodes: (codes: string[]) => void) {
  return useOperation('renewRecoveryCodes', (code: string) => ({ code }), {
    gcTime: 0,
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
}

export function useRemove(onOff: () => void) {
  const client = useQueryClient();
  return useOperation('removeSecondFactor', (code: string) => ({ code }), {
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
