import ArchiveIcon from 'lucide-react/icons/archive';
import ChartColumnIcon from 'lucide-react/icons/chart-column';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import HistoryIcon from 'lucide-react/icons/history';
import PencilIcon from 'lucide-react/icons/pencil';
import PlusIcon from 'lucide-react/icons/plus';
import TrashIcon from 'lucide-react/icons/trash';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { AuditItem } from '../../../shared/entities/review.ts';
import { useDeletePlugin } from '../../features/own-plugins/use-delete-plugin.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { DeprecationDialog } from '../deprecation/deprecation-dialog.tsx';
import { editPath, STATISTICS_PATH, versionsPath } from '../publish/publish-paths.ts';
import styles from './published-card.module.css';

/** The publisher's actions for a plugin: edit, submit a version, view, delete. */
export function PublishedActions({ item: { plugin } }: { item: AuditItem }) {
  const t = useTranslations('myPlugins');
  const common = useTranslations('common');
  const deprecation = useTranslations('deprecation');
  const { plugin_key, name } = plugin;
  const navigate = useNavigate();
  const removal = useDeletePlugin(plugin_key, { done: t('deleted', { name }), failed: t('delete_failed') });
  const [asking, setAsking] = useState(false);
  const [isDeprecating, setDeprecating] = useState(false);
  const close = (): void => {
    removal.reset();
    setAsking(false);
  };
  return (
    <div className={styles.actions}>
      <Link className={buttonClass({ variant: 'outline', size: 's' })} to={editPath(plugin_key)}>
        <PencilIcon size={14} />
        <ShortText full={t('edit_named', { name })}>{common('edit')}</ShortText>
      </Link>
      <Link className={buttonClass({ variant: 'outline', size: 's' })} to={editPath(plugin_key, 'version')}>
        <PlusIcon size={14} />
        <ShortText full={t('new_version_named', { name })}>{t('new_version')}</ShortText>
      </Link>
      <Menu
        label={t('more', { name })}
        variant="quiet"
        size="s"
        square
        items={[
          {
            key: 'open',
            label: t('open'),
            icon: <ExternalLinkIcon />,
            onSelect: () => navigate(pluginPath(plugin_key)),
          },
          {
            key: 'versions',
            label: t('manage_versions'),
            icon: <HistoryIcon />,
            onSelect: () => navigate(versionsPath(plugin_key)),
          },
          {
            key: 'statistics',
            label: t('tab_statistics'),
            icon: <ChartColumnIcon />,
            onSelect: () => navigate(`${STATISTICS_PATH}&plugin_key=${plugin_key}`),
          },
          {
            key: 'deprecation',
            label: deprecation('menu'),
            icon: <ArchiveIcon />,
            onSelect: () => setDeprecating(true),
          },
          { key: 'delete', label: common('delete'), icon: <TrashIcon />, onSelect: () => setAsking(true) },
        ]}
      >
        <EllipsisIcon size={18} />
      </Menu>
      {isDeprecating && <DeprecationDialog plugin={plugin} onClose={() => setDeprecating(false)} />}
      <ConfirmDialog
        open={asking}
        title={t('delete_title', { name })}
        confirmLabel={common('delete')}
        tone="danger"
        busy={removal.isPending}
        error={removal.failure}
        onConfirm={() => removal.mutate()}
        onClose={close}
      >
        <p>{t('delete_text')}</p>
        <p>{t('delete_installed', { count: plugin.install_count })}</p>
      </ConfirmDialog>
    </div>
  );
}
