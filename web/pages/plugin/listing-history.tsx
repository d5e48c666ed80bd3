import HistoryIcon from 'lucide-react/icons/history';
import { useTranslations } from 'use-intl';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Disclosure } from '../../ui/disclosure/disclosure.tsx';
import styles from './listing-history.module.css';
import { HistorySkeleton } from './plugin-skeletons.tsx';

const historyList = lazyWithRetry(async () => (await import('./history-list.tsx')).HistoryList);

/** What happened to a listing; loaded when it is asked for. */
export function ListingHistory({ pluginKey }: { pluginKey: string }) {
  const t = useTranslations('history');
  return (
    <section className={styles.history} aria-label={t('title')}>
      <Disclosure icon={<HistoryIcon size={16} />} label={t('title')}>
        <Lazy part={historyList} fallback={<HistorySkeleton />}>
          {(HistoryList) => <HistoryList pluginKey={pluginKey} />}
        </Lazy>
      </Disclosure>
    </section>
  );
}
