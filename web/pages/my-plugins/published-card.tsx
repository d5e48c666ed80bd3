import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { OwnPlugin } from '../../../shared/entities/review.ts';
import { FindingCounts } from '../../features/findings/finding-counts.tsx';
import { FindingList } from '../../features/findings/finding-list.tsx';
import { AuditBadge } from '../../features/own-plugins/audit-badge.tsx';
import { QueueNote } from '../../features/own-plugins/queue-note.tsx';
import { PluginIcon } from '../../features/plugins/plugin-icon.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { Disclosure } from '../../ui/disclosure/disclosure.tsx';
import { ShieldCheckIcon } from '../../ui/icon/account-icons.tsx';
import { HistoryIcon } from '../../ui/icon/work-icons.tsx';
import { OwnVersions } from './own-versions.tsx';
import { PublishedActions } from './published-actions.tsx';
import styles from './published-card.module.css';
import { PublishedNumbers } from './published-numbers.tsx';
import { publishedState } from './published-state.ts';
import { PublishedVersions } from './published-versions.tsx';
import { RefusalReason } from './refusal-reason.tsx';

type PublishedCardProps = { item: OwnPlugin; mayPublish: boolean };

/** One plugin of the viewer's: where its review stands, what others see, how it does, what can be done. */
export function PublishedCard({ item, mayPublish }: PublishedCardProps) {
  const t = useTranslations('myPlugins');
  const locale = useLocale();
  const { plugin, findings } = item;
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <PluginIcon icon={plugin.icon} name={plugin.name} size={48} />
        <div className={styles.names}>
          <div className={styles.title}>
            <h2 className={styles.name} lang={lang}>
              <Link to={pluginPath(plugin.plugin_key)}>{plugin.name}</Link>
            </h2>
            <AuditBadge status={item.audit_status} />
          </div>
          <PublishedVersions item={item} />
        </div>
        {mayPublish && <PublishedActions item={item} />}
      </div>
      <p className={styles.state}>
        {t(publishedState(item), { version: item.version, live: item.current_version ?? '' })}
      </p>
      {item.queue && <QueueNote queue={item.queue} />}
      <RefusalReason item={item} />
      {wasSeen(item) && <PublishedNumbers plugin={plugin} />}
      <div className={styles.folded}>
        {findings.length > 0 && (
          <Disclosure
            icon={<ShieldCheckIcon />}
            label={t('findings')}
            note={<FindingCounts findings={findings} />}
          >
            <FindingList findings={findings} isCounted />
          </Disclosure>
        )}
        <Disclosure icon={<HistoryIcon />} label={t('versions')}>
          <OwnVersions pluginKey={plugin.plugin_key} mayPublish={mayPublish} />
        </Disclosure>
      </div>
    </li>
  );
}

/** Where nobody has ever seen a plugin, there is nothing to count. */
function wasSeen({ is_live, plugin }: OwnPlugin): boolean {
  return is_live || plugin.install_count + plugin.praise_count + plugin.view_count > 0;
}
