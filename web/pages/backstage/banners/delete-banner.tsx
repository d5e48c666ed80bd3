import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { useBannerTitle } from './use-banner-title.ts';

export function DeleteBanner({ banner, onClose }: { banner: ManagedBanner; onClose: () => void }) {
  const t = useTranslations('bannerAdmin');
  const name = useBannerTitle()(banner);
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call('deleteBanner', { id: banner.id }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('deleted') });
      await queryClient.invalidateQueries({ queryKey: ['listManagedBanners'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('delete_title', { name })}
      confirmLabel={t('delete')}
      cancelLabel={t('cancel')}
      tone="danger"
      busy={remove.isPending}
      error={remove.error ? t('failed') : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('delete_text')}
    </ConfirmDialog>
  );
}
