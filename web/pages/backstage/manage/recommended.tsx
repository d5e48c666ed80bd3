import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { GridIcon } from '../../../ui/icon/backstage-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import styles from './manage.module.css';
import { recommendedOrderQuery } from './managed-query.ts';
import { RecommendedOrder } from './recommended-order.tsx';

/** All recommended plugins in their order: it can be changed once all of them are there. */
export function Recommended() {
  const t = useTranslations('manage');
  const query = useInfiniteQuery(recommendedOrderQuery());
  const all = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const recommended = all.filter(({ is_recommended }) => is_recommended);
  const hasMore = query.hasNextPage && recommended.length === all.length;
  const { isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasMore && !isFetching && !isError) void fetchNextPage();
  }, [hasMore, isFetching, isError, fetchNextPage]);
  return (
    <>
      <p className={styles.lead}>{t('recommended_lead')}</p>
      <PagedList
        query={{ ...query, data: hasMore ? undefined : query.data, hasNextPage: false }}
        isEmpty={recommended.length === 0}
        empty={
          <Notice
            icon={<GridIcon size={22} />}
            title={t('recommended_empty')}
            text={t('recommended_empty_text')}
          />
        }
      >
        <RecommendedOrder plugins={recommended} />
      </PagedList>
    </>
  );
}
