import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { ListingEvent } from '../../../shared/entities/plugin.ts';
import type { Language } from '../../../shared/languages.ts';
import { useRightName } from '../../features/plugins/detail/permission-lens.tsx';
import { LoadMore } from '../../features/plugins/load-more.tsx';
import { historyQuery } from '../../features/plugins/plugin-queries.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import styles from './listing-history.module.css';
import { HistorySkeleton } from './plugin-skeletons.tsx';

/** What happened to a listing, latest first, page by page. */
export function HistoryList({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('history');
  const query = useInfiniteQuery(historyQuery(pluginKey));
  const { data, error, isFetching, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  if (!data)
    return error && error.status !== 404 ? (
      <QueryError error={error} busy={isFetching} onRetry={() => void query.refetch()} />
    ) : error ? (
      <p className={styles.empty}>{t('empty')}</p>
    ) : (
      <HistorySkeleton />
    );
  const events = data.pages.flatMap(({ event_list }) => event_list);
  if (events.length === 0 && !hasNextPage) return <p className={styles.empty}>{t('empty')}</p>;
  const more = (): void => void query.fetchNextPage({ cancelRefetch: false });
  return (
    <>
      <ol className={styles.list}>
        {events.map((event, index) => (
          <Entry key={`${event.at} ${event.kind} ${index}`} event={event} />
        ))}
      </ol>
      {isFetchNextPageError && error && <QueryError error={error} busy={isFetchingNextPage} onRetry={more} />}
      {hasNextPage && !isFetchNextPageError && (
        <LoadMore busy={isFetchingNextPage} automatic={false} onMore={more} />
      )}
    </>
  );
}

/** What happened, when, and what of the listing it has changed. */
function Entry({ event }: { event: ListingEvent }) {
  const format = useFormatter();
  return (
    <li className={styles.entry}>
      <div className={styles.line}>
        <h3>
          <Title event={event} />
        </h3>
        {event.at !== '' && (
          <time className={styles.date} dateTime={event.at}>
            {format.dateTime(new Date(event.at), { dateStyle: 'medium' })}
          </time>
        )}
      </div>
      <Changes event={event} />
    </li>
  );
}

/** Titles of what happened to a version, where they are others. */
const OF_VERSION = {
  published: 'published_version',
  changed: 'changed_version',
  withdrawn: 'withdrawn_version',
  restored: 'restored_version',
  revoked: 'revoked_version',
  hidden: 'hidden',
  shown: 'shown',
  deprecated: 'deprecated',
  maintained: 'maintained',
  verified: 'verified',
} as const;

function Title({ event: { kind, version } }: { event: ListingEvent }) {
  const t = useTranslations('history');
  return version ? t(OF_VERSION[kind], { version }) : t(kind);
}

function Changes({ event: { renamed, parts, rights } }: { event: ListingEvent }) {
  const t = useTranslations('history');
  const format = useFormatter();
  const facts = useTranslations('facts');
  const rightName = useRightName();
  const siteName = (domain: string): string => (domain === '*' ? facts('any_site') : domain);
  const others = parts.filter((part) => part !== 'name' || !renamed);
  const named = (change: 'added' | 'removed'): string[] => [
    ...(rights?.permissions[change].map(rightName) ?? []),
    ...(rights?.domains[change].map(siteName) ?? []),
  ];
  const [gained, lost] = [named('added'), named('removed')];
  return (
    <>
      {renamed && (
        <p>
          {t.rich('renamed', {
            from: renamed.from,
            to: renamed.to,
            old: (text) => <Named lang={renamed.from_lang}>{text}</Named>,
            new: (text) => <Named lang={renamed.to_lang}>{text}</Named>,
          })}
        </p>
      )}
      {others.length > 0 && (
        <p>{t('parts', { parts: format.list(others.map((part) => t(`part_${part}`))) })}</p>
      )}
      {gained.length > 0 && <p>{t('gained', { rights: format.list(gained) })}</p>}
      {lost.length > 0 && <p>{t('lost', { rights: format.list(lost) })}</p>}
    </>
  );
}

function Named({ lang, children }: { lang: Language; children: ReactNode }) {
  const locale = useLocale();
  return <span lang={lang === locale ? undefined : lang}>{children}</span>;
}
