import { useInfiniteQuery } from '@tanstack/react-query';
import DownloadIcon from 'lucide-react/icons/download';
import HistoryIcon from 'lucide-react/icons/history';
import TrashIcon from 'lucide-react/icons/trash';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import type { DataFor } from '../../api/client.ts';
import { download } from '../../api/download.ts';
import { useFailureText } from '../../api/error-text.ts';
import { useOperationBy } from '../../api/use-operation.ts';
import { installedQuery } from '../../features/own-plugins/own-plugins-queries.ts';
import { BrowseLink } from '../../features/plugins/browse-link.tsx';
import { MoveOffer } from '../../features/plugins/move-offer.tsx';
import { usePluginChange } from '../../features/plugins/plugin-mutation.tsx';
import { HoldNote, UpdateHold } from '../../features/plugins/update-hold.tsx';
import { UpdateOffer } from '../../features/plugins/update-offer.tsx';
import { WithdrawalNote } from '../../features/plugins/withdrawal-note.tsx';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { FramedRow, FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { PagedList } from '../paged-list.tsx';
import styles from './installed.module.css';
import { ListedPlugin } from './listed-plugin.tsx';
import { PinVersion } from './pin-version.tsx';
import { UpdateAgeChoice } from './update-age.tsx';

/** The viewer's installed plugins, newest first. */
export function InstalledPanel() {
  const t = useTranslations('myPlugins');
  const query = useInfiniteQuery(installedQuery());
  const items = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  return (
    <PagedList
      query={query}
      skeletons={3}
      isEmpty={items.length === 0}
      empty={
        <Notice
          icon={<DownloadIcon size={22} />}
          title={t('installed_empty_title')}
          text={t('installed_empty_text')}
          action={<BrowseLink />}
        />
      }
    >
      <UpdateAgeChoice />
      <FramedRows>
        {items.map((item) => (
          <InstalledRow key={item.plugin.plugin_key} item={item} />
        ))}
      </FramedRows>
    </PagedList>
  );
}

type Installed = DataFor<'listInstalled'>['plugin_list'][number];

/** Whether what is published was updated after the viewer had installed it. */
function isUpdatedSince({ plugin, installed_at, trial, is_available }: Installed): boolean {
  return is_available && !trial && installed_at !== '' && installed_at < plugin.updated_at;
}

/** One installed plugin; after uninstalling it stays in place until the list is refetched. */
function InstalledRow({ item }: { item: Installed }) {
  const { plugin, trial, installed_at, withdrawal, deprecation } = item;
  const t = useTranslations('myPlugins');
  const installationTexts = useTranslations('installation');
  const format = useFormatter();
  const [isPinning, setIsPinning] = useState(false);
  const isAvailable = !withdrawal && (trial ? trial !== 'deleted' : item.is_available);
  return (
    <FramedRow className={plugin.is_installed ? undefined : styles.gone}>
      <ListedPlugin
        plugin={plugin}
        isAvailable={isAvailable}
        version={item.version}
        trial={
          trial && !withdrawal
            ? { badge: installationTexts('trial'), note: installationTexts(`trial_${trial}`) }
            : undefined
        }
        since={
          installed_at &&
          t('installed_at', { when: format.dateTime(new Date(installed_at), { dateStyle: 'medium' }) })
        }
        updated={isUpdatedSince(item) && t('updated_since')}
        hold={item.hold && <HoldNote hold={item.hold} />}
        waiting={
          item.waiting &&
          t('version_comes', {
            version: item.waiting.version,
            when: format.dateTime(new Date(item.waiting.from), { dateStyle: 'medium' }),
          })
        }
        note={withdrawal ? <WithdrawalNote withdrawal={withdrawal} /> : t('not_available_text')}
        deprecation={withdrawal ? null : deprecation}
      />
      {plugin.is_installed && deprecation?.successor && (
        <MoveOffer plugin={plugin} successor={deprecation.successor} size="s" />
      )}
      {plugin.is_installed && <UpdateOffer plugin={plugin} installation={item} size="s" />}
      {plugin.is_installed && (
        <UpdateHold
          plugin={plugin}
          installation={item}
          more={{
            key: 'other',
            label: t('pin_other'),
            icon: <HistoryIcon />,
            onSelect: () => setIsPinning(true),
          }}
          variant="quiet"
          size="s"
          square
        />
      )}
      {isPinning && <PinVersion plugin={plugin} installation={item} onClose={() => setIsPinning(false)} />}
      <InstalledActions
        plugin={plugin}
        isAvailable={isAvailable}
        isWithdrawn={Boolean(withdrawal)}
        mayReturn={isAvailable && !(item.update && item.version === '')}
        seen={item.version || undefined}
      />
    </FramedRow>
  );
}

type InstalledActionsProps = {
  plugin: PluginCard;
  isAvailable: boolean;
  /** There is nothing to download. */
  isWithdrawn: boolean;
  /** False also when every available version needs new permissions: its page offers it. */
  mayReturn: boolean;
  /** The viewer's version in the list: an undo doesn't install one that needs more permissions. */
  seen: string | undefined;
};

/** Download, uninstall and reinstall; an uninstall that can't be undone needs a confirmation. */
function InstalledActions({ plugin, isAvailable, isWithdrawn, mayReturn, seen }: InstalledActionsProps) {
  const t = useTranslations('myPlugins');
  const failureText = useFailureText();
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
            <DownloadIcon size={14} />
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
      {!isWithdrawn && (
        <Tooltip text={t('download')}>
          <IconButton
            size="s"
            label={t('download_named', { name })}
            icon={<DownloadIcon />}
            busy={packageDownload.isPending}
            onClick={save}
          />
        </Tooltip>
      )}
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
        tone="danger"
        onConfirm={() => change(false)}
        onClose={() => setAsking(false)}
      >
        <p>{t('uninstall_text')}</p>
      </ConfirmDialog>
    </div>
  );
}

/** Saves the package of an installed plugin as a file named with its key (R 4.11). */
function usePackageDownload(pluginKey: string) {
  return useOperationBy('downloadInstalled', () => download('downloadInstalled', { plugin_key: pluginKey }), {
    onSuccess: (content) => saveFile(content, `${pluginKey}.json`),
  });
}
