import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';

/** Asks before a plugin leaves the marketplace for good. */
export function DeletePlugin({ managed, onClose }: { managed: ManagedPlugin; onClose: () => void }) {
  const t = useTranslations('manage');
  const queryClient = useQueryClient();
  const toast = useToast();
  const { plugin_key, name } = managed.plugin;
  const remove = useMutation({
    mutationFn: () => call('deletePlugin', { plugin_key }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('deleted') });
      await queryClient.invalidateQueries({ queryKey: ['listManagedPlugins'] });
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
      error={remove.error ? t('change_failed') : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('delete_text')}</p>
    </ConfirmDialog>
  );
}
