import { useInfiniteQuery } from '@tanstack/react-query';
import BanIcon from 'lucide-react/icons/ban';
import RssIcon from 'lucide-react/icons/rss';
import { useFormatter, useTranslations } from 'use-intl';
import { REMOVED_FEED_PATH, REMOVED_PATH } from '../../../shared/constants.ts';
import type { RemovedPlugin } from '../../../shared/entities/plugin.ts';
import { removedQuery } from '../../features/plugins/plugin-queries.ts';
import { WithdrawalNote } from '../../features/plugins/withdrawal-note.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { PagedList } from '../paged-list.tsx';
import styles from './removed-page.module.css';

/** What was withdrawn after it had been published, latest first (R 7.19). */
export function RemovedPage() {
  const t = useTranslations('removed');
  usePageHead({
    title: t('title'),
    description: t('lead'),
    canonical: REMOVED_PATH,
    feed: { path: REMOVED_FEED_PATH, title: t('title') },
  });
  const query = useInfiniteQuery(removedQuery());
  const removed = query.data?.pages.flatMap((page) => page.removed_list) ?? [];
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <a
            className={buttonClass({ variant: 'outline', size: 's' })}
            href={REMOVED_FEED_PATH}
            type="application/atom+xml"
          >
            <RssIcon size={14} />
            {t('feed')}
          </a>
        }
      />
      <PagedList
        query={query}
        skeletons={3}
        isEmpty={removed.length === 0}
        empty={<Notice icon={<BanIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <ul className={styles.list} aria-label={t('title')}>
          {removed.map((one) => (
            <Removed key={one.id} removed={one} />
          ))}
        </ul>
      </PagedList>
    </div>
  );
}

function Removed({ removed }: { removed: RemovedPlugin }) {
  const t = useTranslations('removed');
  const format = useFormatter();
  const { id, name, version, withdrawn_at } = removed;
  return (
    <li className={styles.removed} id={`removed-${id}`}>
      <h2 className={styles.name}>{name}</h2>
      <p className={styles.meta}>
        {version !== null && <span>{t('version', { version })}</span>}
        {withdrawn_at !== '' && (
          <time dateTime={withdrawn_at}>
            {t('on', { when: format.dateTime(new Date(withdrawn_at), { dateStyle: 'medium' }) })}
          </time>
        )}
      </p>
      <WithdrawalNote withdrawal={removed} />
    </li>
  );
}
