import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { failureText } from '../../api/error-text.ts';
import { usePackageDownload } from '../../features/own-plugins/use-package-download.ts';
import { usePluginChange } from '../../features/plugins/plugin-mutation.tsx';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { InstallIcon, TrashIcon } from '../../ui/icon/action-icons.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import styles from './installed.module.css';

type InstalledActionsProps = {
  plugin: PluginCard;
  isAvailable: boolean;
  /** False also where no version is theirs to have without looking at what it asks for: its page offers it. */
  mayReturn: boolean;
  /** Version that the list shows as theirs: what asks for more is not installed by an undo. */
  seen: string | undefined;
};

/** Fetching the package, uninstalling, and installing again; what could not come back is asked about first. */
export function InstalledActions({ plugin, isAvailable, mayReturn, seen }: InstalledActionsProps) {
  const t = useTranslations('myPlugins');
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const packageDownload = usePackageDownload(plugin.plugin_key);
  const installation = usePluginChange(plugin, seen);
  const { isPending } = installation;
  const change = (install: boolean): void => {
    setAsking(false);
    installation.change(install ? 'install' : 'uninstall');
  };
  const { name } = plugin;
  if (!plugin.is_installed)
    return (
      <div className={styles.actions}>
        <span className={styles.uninstalled}>{t('uninstalled')}</span>
        {mayReturn && (
          <Button size="s" disabled={isPending} onClick={() => change(true)}>
            <InstallIcon size={14} />
            <ShortText full={t('install_again_named', { name })}>{t('install_again')}</ShortText>
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
          label={t('download_named', { name })}
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
        <ShortText full={t('uninstall_named', { name })}>{t('uninstall')}</ShortText>
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('uninstall_title', { name })}
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
