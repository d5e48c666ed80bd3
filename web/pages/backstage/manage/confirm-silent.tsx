import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useSetting } from './use-setting.ts';

/** Says what a default install does before it is turned on or off. */
export function ConfirmSilent({ managed, onClose }: { managed: ManagedPlugin; onClose: () => void }) {
  const t = useTranslations('manage');
  const setting = useSetting('silent');
  const { plugin, is_silent } = managed;
  return (
    <ConfirmDialog
      open
      title={t(is_silent ? 'silent_off_title' : 'silent_on_title', { name: plugin.name })}
      confirmLabel={t(is_silent ? 'silent_off' : 'silent_on')}
      cancelLabel={t('cancel')}
      busy={setting.isPending}
      onConfirm={() =>
        setting.mutate({ plugin_key: plugin.plugin_key, isOn: !is_silent }, { onSettled: onClose })
      }
      onClose={onClose}
    >
      <p>{t(is_silent ? 'silent_off_text' : 'silent_on_text')}</p>
    </ConfirmDialog>
  );
}
