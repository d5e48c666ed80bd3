import { useQuery, useQueryClient } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import PackageIcon from 'lucide-react/icons/package';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { isModifiedClick } from '../../api/latest-location.ts';
import { knownPlugin } from '../../features/plugins/plugin-cache.ts';
import { stepsFromList } from '../../features/plugins/plugin-card.tsx';
import { pluginQuery } from '../../features/plugins/plugin-queries.ts';
import { Popular } from '../../features/plugins/popular.tsx';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { ViewerProvider } from '../viewer-provider.tsx';
import styles from './plugin-page.module.css';
import { PluginSkeleton } from './plugin-skeletons.tsx';
import { PluginView } from './plugin-view.tsx';
import { RemovedNotice } from './removed-notice.tsx';

/** Statuses for a missing plugin. A malformed key is rejected before the lookup. */
const MISSING: readonly number[] = [400, 404];

/** Status for a plugin that was withdrawn after it had been published. */
const REMOVED = 410;

/** A plugin in full (R 2.21). */
export function PluginPage() {
  const { plugin_key = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(pluginQuery(plugin_key));
  const queryClient = useQueryClient();
  const known = data ?? (error ? undefined : knownPlugin(queryClient, plugin_key));
  return (
    <ViewerProvider>
      <div className={styles.page}>
        <BackLink />
        {known ? (
          <PluginView key={plugin_key} known={known} plugin={data} />
        ) : !error ? (
          <PluginSkeleton />
        ) : error.status === REMOVED ? (
          <RemovedNotice pluginKey={plugin_key} />
        ) : MISSING.includes(error.status) ? (
          <MissingPlugin />
        ) : (
          <QueryError error={error} busy={isFetching} onRetry={refetch} />
        )}
      </div>
    </ViewerProvider>
  );
}

/** Shown for a plugin that doesn't exist. */
function MissingPlugin() {
  const t = useTranslations('plugin');
  usePageHead({ title: t('missing_title'), status: 404 });
  return (
    <>
      <Notice
        as="h1"
        icon={<PackageIcon size={22} />}
        title={t('missing_title')}
        text={t('missing_text')}
        action={
          <Link to={BASE_PATH} className={buttonClass({ variant: 'primary' })}>
            {t('all')}
          </Link>
        }
      />
      <Popular />
    </>
  );
}

/** Link back to the list; to the same scroll position if the visitor came from there. */
function BackLink() {
  const t = useTranslations('plugin');
  const navigate = useNavigate();
  const { state } = useLocation();
  const steps = stepsFromList(state);
  const back = (event: MouseEvent): void => {
    if (steps === undefined || isModifiedClick(event)) return;
    event.preventDefault();
    navigate(-steps);
  };
  return (
    <Link to={BASE_PATH} className={styles.back} onClick={back}>
      <ArrowLeftIcon />
      {t('all')}
    </Link>
  );
}
