import { useTranslations } from 'use-intl';
import styles from './skip-link.module.css';

/** The first stop of the keyboard on every page: past what all pages have in common (WCAG 2.2, 2.4.1). */
export function SkipLink({ to }: { to: string }) {
  const t = useTranslations('site');
  return (
    <a className={styles.skip} href={`#${to}`}>
      {t('skip_to_content')}
    </a>
  );
}
