import { useTranslations } from 'use-intl';
import { BrandMark } from './brand-mark.tsx';
import styles from './site-footer.module.css';

/** The end of every page of the site. */
export function SiteFooter() {
  const t = useTranslations('site');
  return (
    <footer className={styles.footer}>
      <div className={styles.row}>
        <BrandMark size={24} />
        <p className={styles.name}>{t('name')}</p>
        <p className={styles.claim}>{t('claim')}</p>
      </div>
    </footer>
  );
}
