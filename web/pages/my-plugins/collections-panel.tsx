import { useQuery } from '@tanstack/react-query';
import HeartIcon from 'lucide-react/icons/heart';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { CollectionCover } from '../../features/collections/collection-cover.tsx';
import { CollectionForm } from '../../features/collections/collection-form.tsx';
import { collectionPath, ownCollectionsQuery } from '../../features/collections/collections-queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './collections-panel.module.css';

/** The viewer's collections, last changed first; what they like is the first one. */
export function CollectionsPanel() {
  const t = useTranslations('collections');
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useQuery(ownCollectionsQuery());
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <p className={styles.lead}>
        {t('lead')}
        <Button variant="primary" onClick={() => setIsNew(true)}>
          <PlusIcon />
          {t('new')}
        </Button>
      </p>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      <ul className={styles.list} aria-busy={!data && !error}>
        <li className={styles.card}>
          <span className={styles.likes}>
            <HeartIcon size={28} />
          </span>
          <h2 className={styles.title}>
            <Link to="?tab=liked">{t('likes')}</Link>
          </h2>
        </li>
        {!data && !error && <Skeleton shape="block" className={styles.place} />}
        {data?.collection_list.map(({ collection_key, title, access, icons, plugin_count, is_hidden }) => (
          <li key={collection_key} className={styles.card}>
            <CollectionCover icons={icons} />
            <div>
              <h2 className={styles.title}>
                <Link to={collectionPath(collection_key)}>{title}</Link>
              </h2>
              <p className={styles.facts}>{t('count', { count: plugin_count })}</p>
              <Badge tone={is_hidden ? 'warning' : 'neutral'}>
                {t(is_hidden ? 'hidden_badge' : `access_${access}`)}
              </Badge>
            </div>
          </li>
        ))}
      </ul>
      {isNew && (
        <CollectionForm
          onSaved={({ collection_key }) => void navigate(collectionPath(collection_key))}
          onClose={() => setIsNew(false)}
        />
      )}
    </>
  );
}
