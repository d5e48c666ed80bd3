import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { CollectionCard, CollectionGrid } from '../../features/collections/collection-card.tsx';
import { collectionsWithQuery } from '../../features/collections/collections-queries.ts';
import styles from './related-plugins.module.css';

/** Collections that have the plugin; nothing when there are none, the service has none, or they fail to load. */
export function CollectionsWith({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('collectionList');
  const page = useTranslations('collectionPage');
  const { data } = useQuery(collectionsWithQuery(pluginKey));
  const collections = data?.collection_list ?? [];
  if (collections.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="in-collections">
      <h2 id="in-collections" className={styles.title}>
        {page('with')}
      </h2>
      <CollectionGrid>
        {collections.map((collection) => (
          <li key={collection.collection_key}>
            <CollectionCard
              collection={collection}
              by={
                collection.slug !== undefined
                  ? t('from_editors')
                  : collection.owner.nick_name !== '' && t('by', { name: collection.owner.nick_name })
              }
            />
          </li>
        ))}
      </CollectionGrid>
    </section>
  );
}
