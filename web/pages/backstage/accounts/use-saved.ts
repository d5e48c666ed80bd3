import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Payload } from '../../../api/call.ts';
import { call, type DataFor, type PayloadFor } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

const READ = { saveIconFont: 'readIconFont', saveStockPhoto: 'readStockPhoto' } as const;

/** Saves an account and says how it went (specification section 8). */
export function useSaved<O extends keyof typeof READ>(save: O) {
  const t = useTranslations('accounts3rd');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (values: PayloadFor<O> & Payload): Promise<DataFor<O>> => call(save, values),
    onSuccess: (kept) => {
      queryClient.setQueryData(queryKeyOf(READ[save], {}), kept);
      toast({ kind: 'success', text: t('saved') });
    },
    onError: (error) => toast({ kind: 'failure', text: failureText(t('save_failed'), error) }),
  });
}
