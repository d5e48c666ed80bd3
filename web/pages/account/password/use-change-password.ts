import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/client.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

export type Typed = { current_password: string; password: string };

/** Changes the viewer's password; what the page shows of their other sessions is read again. */
export function useChangePassword() {
  const t = useTranslations('account');
  const toast = useToast();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (typed: Typed) => call('changePassword', typed),
    onSuccess: () => {
      toast({ kind: 'success', text: t('password_changed') });
      return queryClient.invalidateQueries({ queryKey: ['listOwnSessions'] });
    },
  });
}
