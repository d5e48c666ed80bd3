import { useQuery } from '@tanstack/react-query';
import { VersionList } from '../../features/plugins/detail/version-list.tsx';
import { versionsQuery } from '../../features/plugins/plugin-queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { VersionControls } from '../../features/versions-admin/version-controls.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './published-card.module.css';

type OwnVersionsProps = { pluginKey: string; mayPublish: boolean };

const SHOWN_AT_FIRST = 5;

/** The versions of a plugin with what its publisher can do with each. */
export function OwnVersions({ pluginKey, mayPublish }: OwnVersionsProps) {
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
