import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { failureText } from '../../api/error-text.ts';
import type { useInstallation } from '../../features/own-plugins/use-installation.ts';
import { usePackageDownload } from '../../features/own-plugins/use-package-download.ts';
import { changeFailure } from '../../features/plugins/plugin-changes.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { InstallIcon, TrashIcon } from '../../ui/icon/action-icons.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import styles from './installed.module.css';

type InstalledActionsProps = {
  plugin: PluginCard;
  isAvailable: boolean;
  /** False also where no version is theirs to have without looking at what it asks for: its page offers it. */
  mayReturn: boolean;
  installation: ReturnType<typeof useInstallation>;
};

/** Fetching the package, uninstalling, and installing again; what could not come back is asked about first. */
export function InstalledActions({ plugin, isAvailable, mayReturn, installation }: InstalledActionsProps) {
  const t = useTranslations('myPlugins');
  const told = useTranslations('toast');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const packageDownload = usePackageDownload(plugin.plugin_key);
  const { isOn, isPending } = installation;
  const change = (install: boolean): void => {
    setAsking(false);
    installation.change(install, {
      onSuccess: () => toast({ kind: 'success', text: told(install ? 'installed' : 'uninstalled') }),
      onError: (error) =>
        toast({ kind: 'failure', text: changeFailure(told, install ? 'install' : 'uninstall', error) }),
    });
  };
  const which = <VisuallyHidden> {plugin.name}</VisuallyHidden>;
  if (!isOn)
    return (
      <div className={styles.actions}>
        <span className={styles.uninstalled}>{t('uninstalled')}</span>
        {mayReturn && (
          <Button size="s" disabled={isPending} onClick={() => change(true)}>
            <InstallIcon size={14} />
            {t('install_again')}
            {which}
          </Button>
        )}
      </div>
    );
  const save = (): void =>
    packageDownload.mutate(undefined, {
      onError: (error) => toast({ kind: 'failure', text: failureText(t('download_failed'), error) }),
    });
  return (
    <div className={styles.actions}>
      <Tooltip text={t('download')}>
        <IconButton
          size="s"
          label={`${t('download')} ${plugin.name}`}
          icon={<InstallIcon />}
          busy={packageDownload.isPending}
          onClick={save}
        />
      </Tooltip>
      <Button
        variant="outline"
        size="s"
        disabled={isPending}
        onClick={() => (isAvailable ? change(false) : setAsking(true))}
      >
        <TrashIcon size={14} />
        {t('uninstall')}
        {which}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('uninstall_title', { name: plugin.name })}
        confirmLabel={t('uninstall')}
        cancelLabel={t('cancel')}
        tone="danger"
        onConfirm={() => change(false)}
        onClose={() => setAsking(false)}
      >
        <p>{t('uninstall_text')}</p>
      </ConfirmDialog>
    </div>
  );
}
