import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { CollectionRow } from '../../features/collections/collection-row.tsx';
import { sharedByQuery } from '../../features/collections/collections-queries.ts';

const SHOWN = 6;

/** What a publisher has put together for everybody; nothing without any, and on a service that has no such list. */
export function PublisherCollections({ publisher: { user_id, nick_name } }: { publisher: Publisher }) {
  const t = useTranslations('collectionPage');
  const { data } = useQuery(sharedByQuery(user_id, SHOWN));
  const title = t('by_publisher', { publisher: nick_name });
  return <CollectionRow title={title} collections={data?.collection_list ?? []} skeletons={0} />;
}
