import { useQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import { Link, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { QueueOfPlugin, useIsQueueKnown } from '../../../features/own-plugins/queue-note.tsx';
import { VersionHistory } from '../../../features/plugins/detail/version-history.tsx';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { pluginQuery, versionsQuery } from '../../../features/plugins/plugin-queries.ts';
import { VersionControls } from '../../../features/versions-admin/version-controls.tsx';
import { usePageHead } from '../../../layout/page-head.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { AccessGate } from '../../access-gate/access-gate.tsx';
import { PageSkeleton } from '../../page-skeleton.tsx';
import { MY_PLUGINS_PATH } from '../../publish/publish-paths.ts';
import styles from '../my-plugins.module.css';
import { StatisticsPanel } from '../statistics-panel.tsx';

/** The versions of a plugin, for its publisher or an administrator (R 4.10). */
export function VersionsPage() {
  const t = useTranslations('versions');
  usePageHead({ title: t('back') });
  return (
    <AccessGate needs="publisher">
      <Versions />
    </AccessGate>
  );
}

const SHOWN_AT_FIRST = 20;

function Versions() {
  const t = useTranslations('versions');
  const pageTexts = useTranslations('myPlugins');
  const { plugin_key = '' } = useParams();
  const { data, isPending } = useQuery(pluginQuery(plugin_key));
  const isQueueKnown = useIsQueueKnown(plugin_key);
  const versions = useQuery(versionsQuery(plugin_key));
  const title = t('title', { name: data?.name ?? plugin_key });
  usePageHead({ title });
  // Nothing is shown before what stands above it has its height.
  if (isPending || !isQueueKnown) return <PageSkeleton />;
  return (
    <div className={styles.page}>
      <PageHeader
        back={
          <Link to={MY_PLUGINS_PATH}>
            <ArrowLeftIcon />
            {t('back')}
          </Link>
        }
        title={title}
        lead={t('lead')}
        actions={
          <Link className={buttonClass({ variant: 'outline' })} to={pluginPath(plugin_key)}>
            <ExternalLinkIcon />
            {t('open')}
          </Link>
        }
      />
      <div className={styles.narrow}>
        <QueueOfPlugin pluginKey={plugin_key} />
        <VersionHistory
          pluginKey={plugin_key}
          shownAtFirst={SHOWN_AT_FIRST}
          controls={(version) => <VersionControls pluginKey={plugin_key} version={version} />}
        />
      </div>
      {!versions.isPending && (
        <StatisticsPanel pluginKey={plugin_key} isOptional>
          <h2>{pageTexts('tab_statistics')}</h2>
        </StatisticsPanel>
      )}
    </div>
  );
}
