import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/client.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

/** Invalidates a resource slot or restores it; either can be taken back by the other. */
export function useDisableSlot() {
  const t = useTranslations('slots');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (change: { id: number; is_disabled: boolean }) => call('disableSlot', change),
    onSuccess: (_slot, { is_disabled }) =>
      toast({ kind: 'success', text: t(is_disabled ? 'invalidated' : 'restored') }),
    onError: () => toast({ kind: 'failure', text: t('failed') }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listSlots'] }),
  });
}
