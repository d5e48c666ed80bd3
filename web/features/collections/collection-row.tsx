import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import type { PublicCollection } from '../../../shared/routes/collection.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './collection-card.module.css';
import { CollectionCard } from './collection-card.tsx';

type RowProps = {
  title: string;
  /** Undefined while they load; without any there is no row. */
  collections: readonly PublicCollection[] | undefined;
  /** Skeletons while they load. */
  skeletons: number;
  /** Whether each says that it is one of the editors. */
  namesEditors?: boolean;
};

/** A few collections under a title, with the way to all of them. */
export function CollectionRow({ title, collections, skeletons, namesEditors = false }: RowProps) {
  const t = useTranslations('collectionList');
  const id = useId();
  if (collections?.length === 0) return null;
  return (
    <section aria-labelledby={id} aria-busy={!collections}>
      <div className={styles.head}>
        <h2 id={id} className={styles.heading}>
          {title}
        </h2>
        <Link className={styles.all} to={COLLECTIONS_PATH}>
          {t('all')}
        </Link>
      </div>
      <ul className={styles.row}>
        {collections?.map((collection) => (
          <li key={collection.collection_key}>
            <CollectionCard
              collection={collection}
              by={namesEditors && collection.slug !== undefined && t('from_editors')}
            />
          </li>
        )) ??
          Array.from({ length: skeletons }, (_, index) => (
            <li key={index} aria-hidden="true">
              <Skeleton shape="block" className={styles.place} />
            </li>
          ))}
      </ul>
    </section>
  );
}
