import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { knownFaults } from './slot-draft.ts';

/** Invalidates a resource slot or restores it; either can be taken back by the other. */
export function useDisableSlot() {
  const t = useTranslations('slots');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (change: { id: number; is_disabled: boolean }) => call('disableSlot', change),
    onSuccess: (slot, { is_disabled }) => {
      const reason = knownFaults(slot)
        .map((fault) => t(`fault_${fault}`))
        .join(' ');
      const restored = reason === '' ? t('restored') : t('restored_invalid', { reason });
      toast({ kind: 'success', text: is_disabled ? t('invalidated') : restored });
    },
    onError: (error) => {
      const isGone = isApiError(error) && error.reason === 'SLOT_PLUGIN_GONE';
      toast({ kind: 'failure', text: isGone ? t('plugin_gone') : failureText(t('failed'), error) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listSlots'] }),
  });
}
