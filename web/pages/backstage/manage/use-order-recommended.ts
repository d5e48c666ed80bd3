import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

/** Puts the recommended plugins in a new order; others may have changed which they are. */
export function useOrderRecommended() {
  const t = useTranslations('manage');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    scope: { id: 'recommended-order' },
    mutationFn: (pluginKeys: string[]) => call('orderRecommended', { plugin_keys: pluginKeys }),
    onSuccess: () => toast({ kind: 'success', text: t('ordered') }),
    onError: (error) => {
      const isConflict = isApiError(error) && error.reason === 'CONFLICT';
      toast({
        kind: 'failure',
        text: isConflict ? t('order_conflict') : failureText(t('order_failed'), error),
      });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listManagedPlugins'] }),
  });
}
