import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { LoadMore } from '../../../features/plugins/load-more.tsx';
import { publisherPath, VerifiedMark } from '../../../features/publishers/index.ts';
import { DateTime } from '../frame/date-time.tsx';
import styles from './reports-screen.module.css';

/** Publishers with the mark, how they got it and since when; nothing where there are none. */
export function VerifiedPublishers() {
  const t = useTranslations('reports');
  const format = useFormatter();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    infiniteQueryOptionsOf('listVerified', { limit: BACKSTAGE_PAGE_SIZE }),
  );
  const verified = data?.pages.flatMap((page) => page.publisher_list) ?? [];
  if (verified.length === 0) return null;
  return (
    <section className={styles.profiles} aria-labelledby="verified">
      <h2 id="verified">{t('verified')}</h2>
      <p>{t('verified_lead')}</p>
      <ul className={styles.list}>
        {verified.map(({ publisher, since, reason, ends_at }) => (
          <li key={publisher.user_id} className={styles.card}>
            <div className={styles.head}>
              <Link className={styles.plugin} to={publisherPath(publisher.handle ?? '')}>
                {publisher.nick_name}
              </Link>
              <VerifiedMark verified={publisher.verified ?? ''} />
            </div>
            <div className={styles.facts}>
              <span>{publisher.verified || t('verified_by_hand')}</span>
              <DateTime at={since} />
            </div>
            {(reason !== '' || ends_at !== null) && (
              <div className={styles.reason}>
                {reason !== '' && <p>{reason}</p>}
                {ends_at !== null && (
                  <p>
                    {t('verified_ending', {
                      when: format.dateTime(new Date(ends_at), { dateStyle: 'medium' }),
                    })}
                  </p>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore busy={isFetchingNextPage} automatic={false} onMore={() => void fetchNextPage()} />
      )}
    </section>
  );
}
