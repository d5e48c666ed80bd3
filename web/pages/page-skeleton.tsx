import { useTranslations } from 'use-intl';
import { Skeleton } from '../ui/skeleton/skeleton.tsx';
import { VisuallyHidden } from '../ui/visually-hidden/visually-hidden.tsx';
import styles from './page-skeleton.module.css';

/** The skeleton of a page: heading, lead, content. Without JavaScript it says why nothing follows. */
export function PageSkeleton() {
  const t = useTranslations('list');
  return (
    <div className={styles.page} aria-busy="true">
      <noscript>
        <p className={styles.needsScript}>{t('needs_script')}</p>
      </noscript>
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      <Skeleton className={styles.title} />
      <Skeleton className={styles.lead} />
      <Skeleton shape="block" className={styles.content} />
    </div>
  );
}
