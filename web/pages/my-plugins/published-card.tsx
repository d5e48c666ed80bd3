import { useQuery } from '@tanstack/react-query';
import CheckIcon from 'lucide-react/icons/check';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import ClockIcon from 'lucide-react/icons/clock';
import DownloadIcon from 'lucide-react/icons/download';
import EyeIcon from 'lucide-react/icons/eye';
import HeartIcon from 'lucide-react/icons/heart';
import HistoryIcon from 'lucide-react/icons/history';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { AuditItem, OwnPlugin } from '../../../shared/entities/review.ts';
import { FindingCounts } from '../../features/findings/finding-counts.tsx';
import { FindingList } from '../../features/findings/finding-list.tsx';
import { QueueNote } from '../../features/own-plugins/queue-note.tsx';
import { Count } from '../../features/plugins/count.tsx';
import { PlainText } from '../../features/plugins/detail/plain-text.tsx';
import { VersionList } from '../../features/plugins/detail/version-list.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { versionsQuery } from '../../features/plugins/plugin-queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { TimeAgo } from '../../features/plugins/time-ago.tsx';
import { Sparkline } from '../../features/statistics/sparkline.tsx';
import { VersionControls } from '../../features/versions-admin/version-controls.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Disclosure } from '../../ui/disclosure/disclosure.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { PluginThumb } from '../plugin-thumb.tsx';
import { PublishedActions } from './published-actions.tsx';
import styles from './published-card.module.css';
import { publishedState } from './published-state.ts';

type PublishedCardProps = { item: OwnPlugin; mayPublish: boolean };

/** One of the viewer's plugins: review status, public state, statistics and actions. */
export function PublishedCard({ item, mayPublish }: PublishedCardProps) {
  const t = useTranslations('myPlugins');
  const deprecation = useTranslations('deprecation');
  const locale = useLocale();
  const { plugin, findings } = item;
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <PluginThumb plugin={plugin} />
        <div className={styles.names}>
          <div className={styles.title}>
            <h2 className={styles.name} lang={lang}>
              <Link to={pluginPath(plugin.plugin_key)}>{plugin.name}</Link>
            </h2>
            <AuditBadge status={item.audit_status} />
            {plugin.is_deprecated && <Badge tone="warning">{deprecation('badge')}</Badge>}
          </div>
          <PublishedVersions item={item} />
        </div>
        {wasPublic(item) && <PublishedNumbers item={item} />}
        {mayPublish && <PublishedActions item={item} />}
      </div>
      <RefusalReason item={item} />
      <div className={styles.foot}>
        <div className={styles.state}>
          <p>{t(publishedState(item), { version: item.version, live: item.current_version ?? '' })}</p>
          {item.queue && <QueueNote queue={item.queue} />}
        </div>
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

const STATUS_BADGES = {
  [AUDIT_WAITING]: { tone: 'warning', text: 'unaudited', icon: <ClockIcon size={13} /> },
  [AUDIT_PASSED]: { tone: 'positive', text: 'passed', icon: <CheckIcon size={13} /> },
  [AUDIT_REFUSED]: { tone: 'negative', text: 'refused', icon: <XIcon size={13} /> },
} as const;

/** The review status as a badge (R 7.1). */
function AuditBadge({ status }: { status: AuditItem['audit_status'] }) {
  const t = useTranslations('status');
  const { tone, text, icon } = STATUS_BADGES[status];
  return (
    <Badge tone={tone}>
      {icon}
      {t(text)}
    </Badge>
  );
}

/** A plugin that was never public has no statistics. */
function wasPublic({ is_live, plugin }: OwnPlugin): boolean {
  return is_live || plugin.install_count + plugin.praise_count + plugin.view_count > 0;
}

function RefusalReason({ item: { reason } }: { item: AuditItem }) {
  const t = useTranslations('myPlugins');
  if (reason === null || reason === '') return null;
  return (
    <div className={styles.reason}>
      <CircleAlertIcon size={18} />
      <div>
        <p className={styles.reasonTitle}>{t('reason')}</p>
        <PlainText text={reason} />
      </div>
    </div>
  );
}

/** The published version, the last submitted or approved one, and dates. */
function PublishedVersions({ item }: { item: AuditItem }) {
  const t = useTranslations('myPlugins');
  const { audit_status, version, submitted_at, decided_at } = item;
  const live = item.is_live ? item.current_version : null;
  const isApproved = audit_status === AUDIT_PASSED;
  const at = isApproved ? (decided_at ?? submitted_at) : submitted_at;
  return (
    <p className={styles.meta}>
      {live !== null && <span className={styles.live}>{t('live', { version: live })}</span>}
      {live !== version && <span>{t(isApproved ? 'approved' : 'submitted_at', { version })}</span>}
      <TimeAgo at={at} />
    </p>
  );
}

type OwnVersionsProps = { pluginKey: string; mayPublish: boolean };

const SHOWN_AT_FIRST = 5;

/** The versions of a plugin with the publisher's controls. */
function OwnVersions({ pluginKey, mayPublish }: OwnVersionsProps) {
  const { data, error, isFetching, refetch } = useQuery(versionsQuery(pluginKey));
  if (data)
    return (
      <VersionList
        versions={data.version_list}
        shownAtFirst={SHOWN_AT_FIRST}
        controls={
          mayPublish ? (version) => <VersionControls pluginKey={pluginKey} version={version} /> : undefined
        }
      />
    );
  if (error) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  return <Skeleton shape="block" className={styles.place} />;
}

/** Statistics of a plugin: installs, likes, views, and the installs of the last days if available. */
function PublishedNumbers({ item: { plugin, daily_installs: daily } }: { item: OwnPlugin }) {
  const t = useTranslations('myPlugins');
  const numbers: [label: string, icon: ReactNode, value: number][] = [
    [t('installs'), <DownloadIcon key="installs" size={15} />, plugin.install_count],
    [t('likes'), <HeartIcon key="likes" size={15} />, plugin.praise_count],
    [t('views'), <EyeIcon key="views" size={15} />, plugin.view_count],
  ];
  return (
    <>
      <dl className={styles.numbers}>
        {numbers.map(([label, icon, value]) => (
          <div key={label} className={styles.number}>
            <dt>{label}</dt>
            <dd>
              {icon}
              <Count value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {daily && (
        <Sparkline
          values={daily}
          label={t('installs_lately', {
            count: daily.reduce((sum, day) => sum + day, 0),
            days: daily.length,
          })}
        />
      )}
    </>
  );
}
