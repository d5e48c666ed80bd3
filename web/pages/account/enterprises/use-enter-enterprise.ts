import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { OwnEnterprise } from '../../../../shared/routes/own-enterprise.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { SESSION_KEY } from '../../../api/query-client.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { useEnterpriseName } from './use-enterprise-name.ts';

/** Goes on as a member of another enterprise; what is on screen is read again for it. */
export function useEnterEnterprise() {
  const t = useTranslations();
  const nameOf = useEnterpriseName();
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ e_id }: OwnEnterprise) => call('enterEnterprise', { e_id }),
    onSuccess: async (session, enterprise) => {
      client.setQueryData(SESSION_KEY, session);
      const name = nameOf(enterprise);
      toast({ kind: 'success', text: t('account.enterprise_entered', { name }) });
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
    },
    onError: (error) => toast({ kind: 'failure', text: t(`error.${errorText(error)}`) }),
  });
}
