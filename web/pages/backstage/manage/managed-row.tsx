import ArchiveIcon from 'lucide-react/icons/archive';
import AwardIcon from 'lucide-react/icons/award';
import BanIcon from 'lucide-react/icons/ban';
import ChartColumnIcon from 'lucide-react/icons/chart-column';
import DownloadIcon from 'lucide-react/icons/download';
import EllipsisIcon from 'lucide-react/icons/ellipsis';
import EyeIcon from 'lucide-react/icons/eye';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import PencilIcon from 'lucide-react/icons/pencil';
import TrashIcon from 'lucide-react/icons/trash';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { AUDIT_PASSED, BASE_PATH } from '../../../../shared/constants.ts';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { PluginMark } from '../../../features/plugins/plugin-mark.tsx';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Menu } from '../../../ui/menu/menu.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import { StatusBadge } from '../filters/status-badge.tsx';
import { PluginCell } from '../frame/plugin-cell.tsx';
import { screenPath } from '../frame/screens.ts';
import { usePackageDownload } from '../frame/use-download.ts';
import { UserLabel } from '../frame/user-label.tsx';
import styles from './manage.module.css';
import { useSetting } from './managed-query.ts';

/** Actions with a confirmation. */
export type Confirmation = {
  what: 'silent' | 'mark' | 'deprecation' | 'withdrawal' | 'delete';
  managed: ManagedPlugin;
};

/** One plugin: counters, status and settings, which take effect immediately. */
export function ManagedRow({
  managed,
  onAction,
}: {
  managed: ManagedPlugin;
  onAction: (action: Confirmation) => void;
}) {
  const t = useTranslations('manage');
  const format = useFormatter();
  const recommend = useSetting('recommended');
  const { plugin, audit_status, is_live, is_hidden, is_silent, open_report_count, withdrawal } = managed;
  const { plugin_key, name } = plugin;
  const isRecommended = recommend.isPending ? recommend.variables.isOn : managed.is_recommended;
  return (
    <tr>
      <th scope="row">
        <ManagedPluginCell managed={managed} />
      </th>
      <td data-label={t('status')}>
        <span className={styles.badges}>
          {(audit_status !== AUDIT_PASSED || !is_live || is_hidden) && <StatusBadge status={audit_status} />}
          {withdrawal && (
            <Badge tone="warning" dot>
              {t('is_withdrawn')}
            </Badge>
          )}
          {is_hidden ? (
            <Badge dot>{t('is_hidden')}</Badge>
          ) : (
            is_live && (
              <Badge tone="positive" dot>
                {t('is_live')}
              </Badge>
            )
          )}
        </span>
      </td>
      <td className={styles.number} data-label={t('installs')}>
        {format.number(plugin.install_count)}
      </td>
      <td className={styles.number} data-label={t('likes')}>
        {format.number(plugin.praise_count)}
      </td>
      <td className={styles.number} data-label={t('views')}>
        {format.number(plugin.view_count)}
      </td>
      <td className={styles.number} data-label={t('reports')}>
        {open_report_count > 0 ? (
          <Link
            className={styles.reports}
            to={`${screenPath('reports')}?${new URLSearchParams({ plugin_key })}`}
          >
            {t('report_count', { count: open_report_count })}
          </Link>
        ) : (
          <span className={styles.none}>0</span>
        )}
      </td>
      <td data-label={t('recommend')}>
        <Switch
          label={t('recommend_named', { name })}
          hideLabel
          checked={isRecommended}
          onChange={(isOn) => recommend.mutate({ plugin_key, isOn })}
        />
      </td>
      <td data-label={t('silent')}>
        <Switch
          label={t('silent_named', { name })}
          hideLabel
          checked={is_silent}
          onChange={() => onAction({ what: 'silent', managed })}
        />
      </td>
      <td className={styles.actions}>
        <ActionsMenu
          managed={managed}
          onDeprecate={() => onAction({ what: 'deprecation', managed })}
          onMark={() => onAction({ what: 'mark', managed })}
          onWithdraw={() => onAction({ what: 'withdrawal', managed })}
          onDelete={() => onAction({ what: 'delete', managed })}
        />
      </td>
    </tr>
  );
}

/** A plugin with version and publisher; the name links to its page if there is one. */
export function ManagedPluginCell({ managed: { plugin, is_live } }: { managed: ManagedPlugin }) {
  return (
    <PluginCell
      plugin={plugin}
      link={is_live ? { to: pluginPath(plugin.plugin_key) } : undefined}
      facts={
        <>
          {plugin.version}
          <UserLabel user={plugin.publisher} />
          <PluginMark plugin={plugin} />
        </>
      }
    />
  );
}

function ActionsMenu({
  managed,
  onDeprecate,
  onMark,
  onWithdraw,
  onDelete,
}: {
  managed: ManagedPlugin;
  onDeprecate: () => void;
  onMark: () => void;
  onWithdraw: () => void;
  onDelete: () => void;
}) {
  const t = useTranslations('manage');
  const common = useTranslations('common');
  const deprecation = useTranslations('deprecation');
  const navigate = useNavigate();
  const hide = useSetting('hidden');
  const packages = usePackageDownload();
  const { plugin, is_hidden } = managed;
  const { plugin_key, name } = plugin;
  const query = `?${new URLSearchParams({ plugin_key })}`;
  const link = (href: string) => ({
    href,
    onSelect: (event: MouseEvent) => {
      event.preventDefault();
      navigate(href);
    },
  });
  return (
    <Menu
      label={t('actions_named', { name })}
      variant="quiet"
      size="s"
      square
      items={[
        {
          key: 'edit',
          label: common('edit'),
          icon: <PencilIcon />,
          ...link(`${BASE_PATH}publish-plugin/single${query}`),
        },
        {
          key: 'figures',
          label: t('figures'),
          icon: <ChartColumnIcon />,
          ...link(`${screenPath('overview')}${query}`),
        },
        {
          key: 'download',
          label: t('download'),
          icon: <DownloadIcon />,
          onSelect: () => packages.save(plugin_key),
        },
        {
          key: 'hide',
          label: t(is_hidden ? 'show' : 'hide'),
          icon: is_hidden ? <EyeIcon /> : <EyeOffIcon />,
          onSelect: () => hide.mutate({ plugin_key, isOn: !is_hidden }),
        },
        { key: 'mark', label: t('mark'), icon: <AwardIcon />, onSelect: onMark },
        { key: 'deprecation', label: deprecation('menu'), icon: <ArchiveIcon />, onSelect: onDeprecate },
        { key: 'withdrawal', label: t('withdrawal'), icon: <BanIcon />, onSelect: onWithdraw },
        { key: 'delete', label: common('delete'), icon: <TrashIcon />, onSelect: onDelete },
      ]}
    >
      <EllipsisIcon size={18} />
    </Menu>
  );
}
