import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import FolderIcon from 'lucide-react/icons/folder';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import type { PublicCollection } from '../../../shared/routes/collection.ts';
import { CollectionCard, CollectionGrid } from '../../features/collections/collection-card.tsx';
import {
  editorsCollectionsQuery,
  publicCollectionsQuery,
} from '../../features/collections/collections-queries.ts';
import { BrowseLink } from '../../features/plugins/browse-link.tsx';
import { VerifiedMark } from '../../features/publishers/index.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PagedList } from '../paged-list.tsx';
import { collectionListData } from './collection-list-data.ts';
import styles from './collections-page.module.css';

/** Collections that everybody may find: those of the editors first, then what users share with everybody. */
export function CollectionsPage() {
  const t = useTranslations('collectionPage');
  const list = useTranslations('collectionList');
  const { data: editors, isPending } = useQuery(editorsCollectionsQuery());
  const query = useInfiniteQuery(publicCollectionsQuery());
  const picked = editors?.collection_list ?? [];
  const shared = query.data?.pages.flatMap((page) => page.collection_list) ?? [];
  usePageHead({
    title: t('title'),
    description: t('lead'),
    canonical: COLLECTIONS_PATH,
    data: (absolute) => collectionListData(t('title'), [...picked, ...shared], absolute),
  });
  return (
    <div className={styles.page}>
      <header>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className={styles.lead}>{t('lead')}</p>
      </header>
      {picked.length > 0 && (
        <Part title={list('editors')}>
          <CollectionGrid>
            {picked.map((collection) => (
              <li key={collection.collection_key}>
                <CollectionCard collection={collection} />
              </li>
            ))}
          </CollectionGrid>
        </Part>
      )}
      {/* A service may have no such list; what users share waits for what is above it. */}
      {query.error?.status === 404 ? (
        picked.length === 0 && <Nothing />
      ) : (
        <PagedList
          query={isPending ? { ...query, data: undefined } : query}
          isEmpty={shared.length === 0}
          empty={picked.length === 0 && <Nothing />}
        >
          <Part title={t('people')}>
            <CollectionGrid>
              {shared.map((collection) => (
                <li key={collection.collection_key}>
                  <CollectionCard collection={collection} by={<Owner owner={collection.owner} />} />
                </li>
              ))}
            </CollectionGrid>
          </Part>
        </PagedList>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Who shares a collection; nothing once their account is deleted. */
function Owner({ owner: { nick_name, verified } }: Pick<PublicCollection, 'owner'>) {
  const t = useTranslations('collectionList');
  if (nick_name === '') return null;
  return (
    <>
      {t('by', { name: nick_name })}
      {verified !== undefined && <VerifiedMark verified={verified} />}
    </>
  );
}

function Nothing() {
  const t = useTranslations('collectionPage');
  return (
    <Notice
      icon={<FolderIcon size={22} />}
      title={t('empty_title')}
      text={t('empty_text')}
      action={<BrowseLink />}
    />
  );
}
