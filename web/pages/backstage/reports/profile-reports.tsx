import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { PublisherReport } from '../../../../shared/entities/publisher.ts';
import { textIn } from '../../../../shared/languages.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { LoadMore } from '../../../features/plugins/load-more.tsx';
import { publisherPath } from '../../../features/publishers/index.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { UserLabel } from '../frame/user-label.tsx';
import styles from './reports-screen.module.css';

/** Undecided reports of what publishers say about themselves; nothing where there are none. */
export function ProfileReports() {
  const t = useTranslations('reports');
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    infiniteQueryOptionsOf('listPublisherReports', { limit: BACKSTAGE_PAGE_SIZE }),
  );
  const reports = data?.pages.flatMap((page) => page.report_list) ?? [];
  if (reports.length === 0) return null;
  return (
    <section className={styles.profiles} aria-labelledby="profiles">
      <h2 id="profiles">{t('profiles')}</h2>
      <p>{t('profiles_lead')}</p>
      <ul className={styles.list}>
        {reports.map((report) => (
          <ProfileReport key={report.id} report={report} />
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore busy={isFetchingNextPage} automatic={false} onMore={() => void fetchNextPage()} />
      )}
    </section>
  );
}

function ProfileReport({ report }: { report: PublisherReport }) {
  const t = useTranslations('reports');
  const { id, publisher, kind, reason, reporter, created_at, about, default_lang, links } = report;
  const dismiss = useOperation('dismissPublisherReport', () => ({ id }), {
    done: t('profile_dismissed'),
    failsIn: 'toast',
    errorMessages: { ALREADY_DECIDED: t('too_late') },
  });
  const said = textIn(about, default_lang, default_lang);
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <Link className={styles.plugin} to={publisherPath(publisher.handle)}>
          {publisher.nick_name}
        </Link>
        <Badge>{t(`kind_${kind}`)}</Badge>
        {report.hidden_reason !== null && <Badge>{t('hidden')}</Badge>}
      </div>
      <div className={styles.facts}>
        <UserLabel user={reporter} />
        <DateTime at={created_at} />
      </div>
      <Button
        size="s"
        variant="outline"
        busy={dismiss.isPending}
        aria-label={t('profile_dismiss_named', { name: publisher.nick_name })}
        onClick={() => dismiss.mutate()}
      >
        {t('profile_dismiss')}
      </Button>
      <div className={styles.reason}>
        <p>{reason}</p>
        {said.text !== '' && <blockquote lang={said.lang}>{said.text}</blockquote>}
        {links.length > 0 && <p>{links.join(' ')}</p>}
      </div>
    </li>
  );
}
