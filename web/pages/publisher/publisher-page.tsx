import { useQuery } from '@tanstack/react-query';
import UserXIcon from 'lucide-react/icons/user-x';
import { Link, Navigate, useLocation, useParams } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { BASE_PATH, PROFILE_PATH } from '../../../shared/constants.ts';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { PlainText } from '../../features/plugins/detail/plain-text.tsx';
import { FeedLink } from '../../features/plugins/feed-link.tsx';
import { FollowButton } from '../../features/plugins/follow-button.tsx';
import { publisherFeedPath } from '../../features/plugins/publisher-feed-path.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { publisherPath, publisherQuery, VerifiedMark } from '../../features/publishers/index.ts';
import { useIsAdmin, useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Notice } from '../../ui/notice/notice.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import { ReportButton } from '../report-button.tsx';
import { ViewerProvider } from '../viewer-provider.tsx';
import { HideProfile } from './hide-profile.tsx';
import { Poster } from './poster.tsx';
import { PublisherCollections } from './publisher-collections.tsx';
import { publisherHead } from './publisher-head.ts';
import styles from './publisher-page.module.css';
import { PublisherPlugins } from './publisher-plugins.tsx';
import { VerifyPublisher } from './verify-publisher.tsx';

/** Statuses for a missing publisher. A malformed handle is rejected before the lookup. */
const MISSING: readonly number[] = [400, 404];

/** A publisher: who they are, and everything they have published. */
export function PublisherPage() {
  const { handle = '' } = useParams();
  const { search } = useLocation();
  const { data, error, isFetching, refetch } = useQuery(publisherQuery(handle));
  if (data && data.handle !== handle) return <Navigate to={publisherPath(data.handle) + search} replace />;
  return (
    <ViewerProvider>
      <div className={styles.page}>
        {data ? (
          <PublisherView publisher={data} />
        ) : !error ? (
          <PageSkeleton />
        ) : MISSING.includes(error.status) ? (
          <MissingPublisher />
        ) : (
          <QueryError error={error} busy={isFetching} onRetry={refetch} />
        )}
      </div>
    </ViewerProvider>
  );
}

function PublisherView({ publisher }: { publisher: Publisher }) {
  const t = useTranslations('publisher');
  const follow = useTranslations('follow');
  const locale = useLocale();
  const { user } = useSession();
  const isAdmin = useIsAdmin();
  const { user_id, handle, nick_name, avatar_url, about, about_lang, links, hidden_reason, verified } =
    publisher;
  const description = about === '' ? t('description', { publisher: nick_name }) : about;
  usePageHead(publisherHead(publisher, description));
  const isOwn = user?.user_id === user_id;
  return (
    <>
      <Poster publisher={publisher} />
      <header className={styles.header}>
        <div className={styles.who}>
          <Avatar userId={user_id} nickName={nick_name} avatarUrl={avatar_url} size={40} />
          <div className={styles.names}>
            <h1 className={styles.name}>
              {nick_name}
              {verified !== undefined && <VerifiedMark verified={verified} size={24} />}
            </h1>
            <p className={styles.handle}>@{handle}</p>
          </div>
        </div>
        <div className={styles.actions}>
          {isOwn && (
            <Link to={PROFILE_PATH} className={buttonClass({ variant: 'outline', size: 's' })}>
              {t('edit')}
            </Link>
          )}
          {!isOwn && <FollowButton target={{ kind: 'publisher', key: user_id }} name={nick_name} size="s" />}
          <FeedLink path={publisherFeedPath(user_id)} text={follow('feed_publisher')} />
          {!isOwn && <ReportButton subject={{ handle }} name={nick_name} />}
          {isAdmin && <HideProfile publisher={publisher} />}
          {isAdmin && <VerifyPublisher publisher={publisher} />}
        </div>
      </header>
      <ul className={styles.totals}>
        <li>{t(publisher.total_estimated ? 'plugins_at_least' : 'plugins', { count: publisher.total })}</li>
        <li>{t('installs', { count: publisher.install_count })}</li>
      </ul>
      {hidden_reason !== undefined && (
        <div className={styles.hidden}>
          <p>{t('hidden')}</p>
          <p>{hidden_reason}</p>
        </div>
      )}
      {about !== '' && <PlainText text={about} lang={about_lang === locale ? undefined : about_lang} />}
      {links.length > 0 && (
        <ul className={styles.links} aria-label={t('links')}>
          {links.map((link) => (
            <li key={link}>
              <a href={link} rel="nofollow ugc noopener" target="_blank">
                {link.replace(/^https:\/\//, '').replace(/\/$/, '')}
              </a>
            </li>
          ))}
        </ul>
      )}
      <PublisherPlugins publisher={publisher} />
      <PublisherCollections publisher={publisher} />
    </>
  );
}

function MissingPublisher() {
  const t = useTranslations('publisher');
  const plugin = useTranslations('plugin');
  usePageHead({ title: t('missing_title'), status: 404 });
  return (
    <Notice
      as="h1"
      icon={<UserXIcon size={22} />}
      title={t('missing_title')}
      text={t('missing_text')}
      action={
        <Link to={BASE_PATH} className={buttonClass({ variant: 'primary' })}>
          {plugin('all')}
        </Link>
      }
    />
  );
}
