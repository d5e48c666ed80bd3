import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { QrCode } from '../../../../shared/entities/site.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

export function DeleteQrCode({ code, onClose }: { code: QrCode; onClose: () => void }) {
  const t = useTranslations('qrCodes');
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call('deleteQrCode', { id: code.id }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('deleted') });
      await queryClient.invalidateQueries({ queryKey: ['listQrCodes'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('delete_title', { name: code.name })}
      confirmLabel={t('delete')}
      cancelLabel={t('cancel')}
      tone="danger"
      busy={remove.isPending}
      error={remove.error ? t('failed') : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t(code.is_contact ? 'delete_contact_text' : 'delete_text')}
    </ConfirmDialog>
  );
}
