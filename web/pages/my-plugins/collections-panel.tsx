import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import HeartIcon from 'lucide-react/icons/heart';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import { useNavigateAfter } from '../../api/latest-location.ts';
import { CollectionCard, CollectionGrid } from '../../features/collections/collection-card.tsx';
import { CollectionCover } from '../../features/collections/collection-cover.tsx';
import { CollectionForm } from '../../features/collections/collection-form.tsx';
import { collectionPath, ownCollectionsQuery } from '../../features/collections/collections-queries.ts';
import { likedQuery } from '../../features/own-plugins/own-plugins-queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './collections-panel.module.css';

/** The viewer's collections, last changed first; what they like is the first one. */
export function CollectionsPanel() {
  const t = useTranslations('collections');
  const list = useTranslations('collectionList');
  const navigate = useNavigateAfter();
  const { data, error, isFetching, refetch } = useQuery(ownCollectionsQuery());
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <div className={styles.lead}>
        <p>{t('lead')}</p>
        <Link to={COLLECTIONS_PATH}>{list('all')}</Link>
        <Button variant="primary" onClick={() => setIsNew(true)}>
          <PlusIcon />
          {t('new')}
        </Button>
      </div>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      <CollectionGrid>
        <li>
          <Likes />
        </li>
        {!data && !error && (
          <li aria-hidden="true">
            <Skeleton shape="block" className={styles.place} />
          </li>
        )}
        {data?.collection_list.map((collection) => (
          <li key={collection.collection_key}>
            <CollectionCard
              as="h2"
              collection={collection}
              badge={
                <Badge tone={collection.is_hidden ? 'warning' : 'neutral'}>
                  {t(collection.is_hidden ? 'hidden_badge' : `access_${collection.access}`)}
                </Badge>
              }
            />
          </li>
        ))}
      </CollectionGrid>
      {isNew && (
        <CollectionForm
          onSaved={({ collection_key }) => navigate(collectionPath(collection_key))}
          onClose={() => setIsNew(false)}
        />
      )}
    </>
  );
}

/** Plugins whose icons are on a cover. */
const COVER_ICONS = 4;

/** What the viewer likes, as a collection: its cover is made of the latest; a heart while there are none. */
function Likes() {
  const t = useTranslations('collections');
  const list = useTranslations('collectionList');
  const { data } = useInfiniteQuery(likedQuery());
  const first = data?.pages[0];
  const icons = (first?.plugin_list ?? [])
    .filter(({ is_available }) => is_available)
    .slice(0, COVER_ICONS)
    .map(({ plugin: { name, icon } }) => ({ name, icon }));
  return (
    <article className={styles.card}>
      {icons.length > 0 ? (
        <CollectionCover icons={icons} />
      ) : (
        <span className={styles.likes}>
          <HeartIcon size={28} />
        </span>
      )}
      <div>
        <h2 className={styles.title}>
          <Link to="?tab=liked">{t('likes')}</Link>
        </h2>
        {first && <p className={styles.facts}>{list('count', { count: first.total })}</p>}
        <Badge>{t('access_private')}</Badge>
      </div>
    </article>
  );
}
