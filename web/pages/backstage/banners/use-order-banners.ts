import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { call, type DataFor } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { useToast } from '../../../ui/toast/toast-context.ts';

const LIST = queryKeyOf('listManagedBanners', {});

/** Puts the banners in a new order: shown at once, taken back when it could not be saved. */
export function useOrderBanners() {
  const t = useTranslations('bannerAdmin');
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    scope: { id: 'banner-order' },
    mutationFn: (banners: ManagedBanner[]) => call('orderBanners', { ids: banners.map(({ id }) => id) }),
    onMutate: async (banners) => {
      await queryClient.cancelQueries({ queryKey: LIST });
      const before = queryClient.getQueryData<DataFor<'listManagedBanners'>>(LIST);
      queryClient.setQueryData<DataFor<'listManagedBanners'>>(LIST, { banner_list: banners });
      return { before };
    },
    onSuccess: () => toast({ kind: 'success', text: t('ordered') }),
    onError: (error, _banners, context) => {
      queryClient.setQueryData(LIST, context?.before);
      toast({ kind: 'failure', text: failureText(t('order_failed'), error) });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: LIST }),
  });
}
