import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { PluginMark } from '../../../features/plugins/plugin-mark.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import { StatusBadge } from '../filters/status-badge.tsx';
import { screenPath } from '../frame/screens.ts';
import { ActionsMenu } from './actions-menu.tsx';
import styles from './manage.module.css';
import { PluginName } from './plugin-name.tsx';
import { useSetting } from './use-setting.ts';

/** What is asked about before it is done. */
export type Asked = { what: 'silent' | 'mark' | 'delete'; managed: ManagedPlugin };

/** One plugin: figures, where it stands, and its settings, which take effect at once. */
export function ManagedRow({ managed, onAsk }: { managed: ManagedPlugin; onAsk: (asked: Asked) => void }) {
  const t = useTranslations('manage');
  const format = useFormatter();
  const recommend = useSetting('recommended');
  const { plugin, audit_status, is_live, is_hidden, is_silent, open_report_count } = managed;
  const { plugin_key, name } = plugin;
  const isRecommended = recommend.isPending ? recommend.variables.isOn : managed.is_recommended;
  return (
    <tr>
      <th scope="row">
        <PluginName plugin={plugin} isLive={is_live} />
      </th>
      <td data-label={t('status')}>
        <span className={styles.badges}>
          <StatusBadge status={audit_status} />
          {is_hidden ? (
            <Badge>{t('is_hidden')}</Badge>
          ) : (
            is_live && <Badge tone="positive">{t('is_live')}</Badge>
          )}
          <PluginMark plugin={plugin} />
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
          onChange={() => onAsk({ what: 'silent', managed })}
        />
      </td>
      <td className={styles.actions}>
        <ActionsMenu
          managed={managed}
          onMark={() => onAsk({ what: 'mark', managed })}
          onDelete={() => onAsk({ what: 'delete', managed })}
        />
      </td>
    </tr>
  );
}
