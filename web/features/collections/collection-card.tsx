import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { CollectionSummary } from '../../../shared/routes/collection.ts';
import styles from './collection-card.module.css';
import { CollectionCover } from './collection-cover.tsx';
import { pathOfCollection } from './collections-queries.ts';

type CardProps = {
  collection: Omit<CollectionSummary, 'has_plugin'>;
  /** Who made it; absent where it is clear. */
  by?: ReactNode;
  /** Its state, for its owner. */
  badge?: ReactNode;
  /** Level of its title. */
  as?: 'h2' | 'h3';
};

/** A collection in a list: one link as large as the card. */
export function CollectionCard({ collection, by, badge, as: Title = 'h3' }: CardProps) {
  const t = useTranslations('collectionList');
  const locale = useLocale();
  const { title, title_lang, plugin_count } = collection;
  return (
    <article className={styles.card}>
      <CollectionCover icons={collection.icons} picture={collection.picture} />
      <div className={styles.texts}>
        <Title className={styles.title} lang={title_lang === locale ? undefined : title_lang}>
          <Link to={pathOfCollection(collection)}>{title}</Link>
        </Title>
        <p className={styles.facts}>
          {by && <span>{by}</span>}
          <span>{t('count', { count: plugin_count })}</span>
        </p>
        {badge}
      </div>
    </article>
  );
}

/** Collections side by side; on a small screen below each other. */
export function CollectionGrid({ children }: { children: ReactNode }) {
  return <ul className={styles.grid}>{children}</ul>;
}
