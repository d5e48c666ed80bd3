import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { PagedList } from '../../paged-list.tsx';
import { TrailTable } from '../trail/trail-table.tsx';
import styles from './members-screen.module.css';

/** Who changed what of whose account. */
export function MemberChanges() {
  const t = useTranslations('members');
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listMemberChanges', { limit: BACKSTAGE_PAGE_SIZE }));
  const entries = query.data?.pages.flatMap((page) => page.entry_list) ?? [];
  return (
    <section className={styles.changes} aria-labelledby="changes">
      <h2 id="changes" className={styles.heading}>
        {t('changes')}
      </h2>
      <PagedList
        query={query}
        isEmpty={entries.length === 0}
        empty={<p className={styles.off}>{t('changes_none')}</p>}
      >
        <TrailTable caption={t('changes')} entries={entries} busy={false} />
      </PagedList>
    </section>
  );
}
