import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { isApiError } from '../../../api/api-error.ts';
import type { Payload } from '../../../api/call.ts';
import { call, type DataFor, type PayloadFor } from '../../../api/client.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

export type MemberChange = 'disableMember' | 'signOutMember' | 'removeMemberSecondFactor';

/** Changes an account, then reads the list again; says so when the last super administrator is in the way. */
export function useMemberChange<O extends MemberChange>(operation: O) {
  const t = useTranslations('members');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (payload: PayloadFor<O> & Payload): Promise<DataFor<O>> => call(operation, payload),
    onSuccess: () => toast({ kind: 'success', text: t('changed') }),
    onError: (error) => {
      const isLast = isApiError(error) && error.reason === 'LAST_SUPER_ADMIN';
      toast({ kind: 'failure', text: t(isLast ? 'last_super' : 'change_failed') });
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['listMembers'] }),
        queryClient.invalidateQueries({ queryKey: ['listMemberChanges'] }),
        // A sign-out everywhere ends them.
        queryClient.invalidateQueries({ queryKey: ['countManagedTokens'] }),
        queryClient.invalidateQueries({ queryKey: ['listManagedTokens'] }),
      ]),
  });
}
