import { useInfiniteQuery } from '@tanstack/react-query';
import BanIcon from 'lucide-react/icons/ban';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { REMOVED_PATH } from '../../../shared/constants.ts';
import { removedQuery } from '../../features/plugins/plugin-queries.ts';
import { WithdrawalNote } from '../../features/plugins/withdrawal-note.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import styles from './plugin-notice.module.css';

/** In place of a withdrawn plugin that was public before: what happened, and what its users do. */
export function RemovedNotice({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('removed');
  const plugin = useTranslations('plugin');
  const query = useInfiniteQuery(removedQuery(pluginKey));
  const found = query.data?.pages
    .flatMap((page) => page.removed_list)
    .find(({ version }) => version === null);
  const title = found ? t('page_title', { name: found.name }) : plugin('missing_title');
  usePageHead({ title, status: 410 });
  return (
    <PagedList query={query} isEmpty={!found} empty={<h1>{title}</h1>}>
      {found && (
        <section className={styles.notice} aria-labelledby="removed">
          <BanIcon size={20} />
          <div>
            <h1 id="removed" className={styles.title}>
              {title}
            </h1>
            <WithdrawalNote withdrawal={found} />
            <p className={styles.text}>
              <Link to={REMOVED_PATH}>{t('see_all')}</Link>
            </p>
          </div>
        </section>
      )}
    </PagedList>
  );
}
