import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { ReportedCollection } from '../../../../shared/routes/collection.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { collectionPath } from '../../../features/collections/collections-queries.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { UserLabel } from '../frame/user-label.tsx';
import styles from './reports-screen.module.css';

const STATES = ['reported', 'hidden'] as const;

/** Collections that users have reported and those that are hidden; nothing without any. */
export function ReportedCollections() {
  return STATES.map((state) => <Collections key={state} state={state} />);
}

function Collections({ state }: { state: (typeof STATES)[number] }) {
  const t = useTranslations('reports');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listReportedCollections', { state }));
  if (!data && error && error.status !== 404)
    return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data || data.collection_list.length === 0) return null;
  return (
    <section aria-labelledby={`collections-${state}`}>
      <h2 id={`collections-${state}`} className={styles.heading}>
        {t(`collections_${state}`)}
      </h2>
      <ul className={styles.list}>
        {data.collection_list.map((collection) => (
          <Row key={collection.collection_key} collection={collection} />
        ))}
      </ul>
    </section>
  );
}

function Row({ collection }: { collection: ReportedCollection }) {
  const t = useTranslations('reports');
  const { collection_key, title, description, owner, is_hidden, report_list } = collection;
  const { mutate, isPending } = useOperation(
    'hideCollection',
    (hides: boolean) => ({ collection_key, is_hidden: hides }),
    {
      done: (_data, hides) => t(hides ? 'collection_hidden' : 'collection_shown'),
      failsIn: 'toast',
    },
  );
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <Link className={styles.plugin} to={collectionPath(collection_key)}>
          {title}
        </Link>
        {is_hidden && <Badge>{t('hidden')}</Badge>}
        <UserLabel user={owner} />
      </div>
      {description !== '' && <p className={styles.reason}>{description}</p>}
      {report_list.map(({ id, kind, reason, created_at }) => (
        <div key={id}>
          <div className={styles.facts}>
            <Badge tone="warning">{t(`kind_${kind}`)}</Badge>
            <DateTime at={created_at} />
          </div>
          <p className={styles.reason}>{reason}</p>
        </div>
      ))}
      <div className={styles.actions}>
        <Button size="s" variant="primary" disabled={isPending} onClick={() => mutate(!is_hidden)}>
          {t(is_hidden ? 'collection_show' : 'collection_hide')}
        </Button>
        {!is_hidden && (
          <Button size="s" variant="outline" disabled={isPending} onClick={() => mutate(false)}>
            {t('collection_keep')}
          </Button>
        )}
      </div>
    </li>
  );
}
