import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import FolderIcon from 'lucide-react/icons/folder';
import { Link, Navigate, useParams } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { COLLECTIONS_PATH } from '../../../shared/constants.ts';
import type { Collection } from '../../../shared/routes/collection.ts';
import type { ApiError } from '../../api/api-error.ts';
import { CollectionCover } from '../../features/collections/collection-cover.tsx';
import {
  collectionQuery,
  editorsCollectionQuery,
  pathOfCollection,
} from '../../features/collections/collections-queries.ts';
import { InstallAll } from '../../features/collections/install-all.tsx';
import { BrowseLink } from '../../features/plugins/browse-link.tsx';
import { PluginGrid } from '../../features/plugins/plugin-grid.tsx';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { VerifiedMark } from '../../features/publishers/index.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { ViewerProvider } from '../viewer-provider.tsx';
import { CollectionActions } from './collection-actions.tsx';
import { collectionHead } from './collection-head.ts';
import styles from './collection-page.module.css';

const collectionEditor = lazyWithRetry(
  async () => (await import('./collection-editor.tsx')).CollectionEditor,
);

/** Statuses for a missing collection. A malformed key is rejected before the lookup. */
const MISSING: readonly number[] = [400, 404];

/** A collection: what it is, who made it, and its plugins; its owner changes it here. */
export function CollectionPage() {
  const { collection_key: key = '' } = useParams();
  const query = useQuery(collectionQuery(key));
  if (query.data?.slug !== undefined) return <Navigate to={pathOfCollection(query.data)} replace />;
  return <CollectionScreen query={query} />;
}

/** A collection of the editors, at its readable address. */
export function EditorsCollectionPage() {
  const { slug = '' } = useParams();
  return <CollectionScreen query={useQuery(editorsCollectionQuery(slug))} />;
}

type ScreenProps = {
  query: Pick<UseQueryResult<Collection, ApiError>, 'data' | 'error' | 'isFetching' | 'refetch'>;
};

function CollectionScreen({ query: { data, error, isFetching, refetch } }: ScreenProps) {
  return (
    <ViewerProvider>
      <div className={styles.page}>
        {data ? (
          <CollectionView collection={data} />
        ) : !error ? (
          <Skeleton shape="block" className={styles.place} />
        ) : MISSING.includes(error.status) ? (
          <MissingCollection />
        ) : (
          <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />
        )}
      </div>
    </ViewerProvider>
  );
}

function MissingCollection() {
  const t = useTranslations('collections');
  usePageHead({ title: t('missing_title'), status: 404 });
  return (
    <Notice
      as="h1"
      icon={<FolderIcon size={22} />}
      title={t('missing_title')}
      text={t('missing_text')}
      action={<BrowseLink />}
    />
  );
}

function CollectionView({ collection }: { collection: Collection }) {
  const t = useTranslations('collections');
  const list = useTranslations('collectionList');
  const locale = useLocale();
  const { title, description, access, owner, is_own, is_hidden, plugin_count } = collection;
  const { slug, title_lang, description_lang } = collection;
  const isEditors = slug !== undefined;
  const isChanged = is_own && !isEditors;
  const plugin_list = isChanged
    ? collection.plugin_list
    : collection.plugin_list.filter(({ is_available }) => is_available);
  const other = (lang: string | undefined) => (lang === locale ? undefined : lang);
  usePageHead(collectionHead(collection));
  return (
    <>
      <header className={styles.header}>
        <CollectionCover icons={collection.icons} picture={collection.picture} />
        <div className={styles.texts}>
          <h1 className={styles.title} lang={other(title_lang)}>
            {title}
          </h1>
          <p className={styles.facts}>
            {isEditors && <Link to={COLLECTIONS_PATH}>{list('editors')}</Link>}
            {owner.nick_name !== '' && (
              <span>
                {list('by', { name: owner.nick_name })}
                {owner.verified !== undefined && <VerifiedMark verified={owner.verified} />}
              </span>
            )}
            <span>{list('count', { count: isChanged ? plugin_count : plugin_list.length })}</span>
            {isChanged && <Badge>{t(`access_${access}`)}</Badge>}
            {isEditors && access === 'private' && <Badge tone="warning">{t('draft')}</Badge>}
          </p>
          {description !== '' && (
            <p className={styles.description} lang={other(description_lang)}>
              {description}
            </p>
          )}
        </div>
      </header>
      {is_own && is_hidden && (
        <p className={styles.hidden} role="status">
          <EyeOffIcon size={16} />
          {t('hidden')}
        </p>
      )}
      <div className={styles.actions}>
        <InstallAll collection={collection} />
        <CollectionActions collection={collection} />
      </div>
      <h2>
        <VisuallyHidden>{t('plugins')}</VisuallyHidden>
      </h2>
      {plugin_list.length === 0 ? (
        <Notice
          icon={<FolderIcon size={22} />}
          title={t('empty_title')}
          text={t(is_own ? 'empty_text' : 'empty_others')}
        />
      ) : isChanged ? (
        <Lazy part={collectionEditor}>
          {(CollectionEditor) => <CollectionEditor collection={collection} />}
        </Lazy>
      ) : (
        <PluginGrid plugins={plugin_list.map(({ plugin }) => plugin)} firstRow="soon" loading={false} />
      )}
    </>
  );
}
