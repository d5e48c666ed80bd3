import { useInfiniteQuery } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { noticePath, noticeText } from '../../../shared/notice.ts';
import type { Notice as OneNotice } from '../../../shared/routes/notice.ts';
import { LIST, useReadNotices, useUnreadNotices } from '../../features/session/notices-queries.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { AccessGate } from '../access-gate/access-gate.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import { PagedList } from '../paged-list.tsx';
import styles from './notices-page.module.css';

/** The viewer's notices, newest first; absent where the community service has none. */
export function NoticesPage() {
  const { isAvailable } = useUnreadNotices();
  return isAvailable === false ? (
    <NotFoundPage />
  ) : (
    <AccessGate needs="user">
      <Notices />
    </AccessGate>
  );
}

function Notices() {
  const t = useTranslations('notices');
  const toast = useToast();
  usePageHead({ title: t('title') });
  const { count } = useUnreadNotices();
  const query = useInfiniteQuery({ ...LIST, staleTime: 0 });
  const { refetch } = query;
  // Notices that the bell has counted are loaded here as well.
  useEffect(() => {
    if (count !== undefined) void refetch();
  }, [count, refetch]);
  const readOne = useReadNotices();
  const readAll = useReadNotices();
  const notices = query.data?.pages.flatMap((page) => page.notice_list) ?? [];
  const newest = notices[0];
  const failed = { onError: () => toast({ kind: 'failure', text: t('read_failed') }) };
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          newest &&
          count !== undefined &&
          count > 0 && (
            <Button
              variant="outline"
              busy={readAll.isPending}
              onClick={() => readAll.mutate({ id: newest.id, and_older: true }, failed)}
            >
              {t('read_all')}
            </Button>
          )
        }
      />
      <PagedList
        query={query}
        skeletons={4}
        isEmpty={notices.length === 0}
        empty={<Notice icon={<BellIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <ul className={styles.rows}>
          {notices.map((notice) => (
            <Row key={notice.id} notice={notice} onRead={() => readOne.mutate({ id: notice.id }, failed)} />
          ))}
        </ul>
      </PagedList>
    </div>
  );
}

function Row({ notice, onRead }: { notice: OneNotice; onRead: () => void }) {
  const t = useTranslations('notices');
  const format = useFormatter();
  const { kind, data, is_read, created_at } = notice;
  const { plugin_name = '', successor_name = '', version = '', token_name = '', ends_at = '' } = data;
  const { domain = '', reason } = data;
  const when = ends_at && format.dateTime(new Date(ends_at), { dateStyle: 'medium', timeStyle: 'short' });
  const values = { plugin: plugin_name, successor: successor_name, version, token: token_name, domain, when };
  const text = t(noticeText(kind, data), values);
  return (
    <li className={styles.row} data-unread={!is_read || undefined}>
      <div className={styles.texts}>
        <p className={styles.title}>
          <Link to={noticePath(kind, data)} onClick={is_read ? undefined : onRead}>
            {is_read ? text : <ShortText full={t('unread_notice', { notice: text })}>{text}</ShortText>}
          </Link>
        </p>
        {reason && <p className={styles.reason}>{reason}</p>}
        {created_at !== '' && (
          <p className={styles.meta}>
            {format.dateTime(new Date(created_at), { dateStyle: 'medium', timeStyle: 'short' })}
          </p>
        )}
      </div>
      {!is_read && (
        <Button size="s" variant="quiet" onClick={onRead}>
          {t('read')}
        </Button>
      )}
    </li>
  );
}
