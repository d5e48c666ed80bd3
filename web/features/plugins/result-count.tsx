import { useTranslations } from 'use-intl';
import type { PluginPage } from '../../../shared/entities/plugin.ts';
import styles from './result-count.module.css';

/** How many plugins match; heard when it changes. */
export function ResultCount({ page }: { page: PluginPage | undefined }) {
  const t = useTranslations('home');
  return (
    <p className={styles.count} role="status" suppressHydrationWarning>
      {page && t(page.total_estimated ? 'count_at_least' : 'count', { count: page.total })}
    </p>
  );
}
