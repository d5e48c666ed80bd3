import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { PluginSkeleton } from '../../features/plugins/detail/plugin-skeleton.tsx';
import { pluginQuery } from '../../features/plugins/plugin-queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { VisitorGate } from '../visitor-gate.tsx';
import { BackLink } from './back-link.tsx';
import { MissingPlugin } from './missing-plugin.tsx';
import styles from './plugin-page.module.css';
import { PluginView } from './plugin-view.tsx';

/** Statuses that mean: no such plugin. An ill-formed key is refused before it is looked for. */
const MISSING: readonly number[] = [400, 404];

/** A plugin in full (specification section 2, path of design section 5). */
export function PluginPage() {
  const { plugin_key = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(pluginQuery(plugin_key));
  return (
    <VisitorGate>
      <div className={styles.page}>
        <BackLink />
        {data ? (
          <PluginView key={plugin_key} plugin={data} />
        ) : !error ? (
          <PluginSkeleton />
        ) : MISSING.includes(error.status) ? (
          <MissingPlugin />
        ) : (
          <QueryError error={error} busy={isFetching} onRetry={refetch} />
        )}
      </div>
    </VisitorGate>
  );
}
