import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../shared/constants.ts';
import { AccountMenu } from '../features/session/account-menu.tsx';
import { classNames } from '../ui/class-names.ts';
import { BrandMark } from './brand-mark.tsx';
import styles from './site-header.module.css';
import { useScrolled } from './use-scrolled.ts';

/** The bar at the top of every page of the site. */
export function SiteHeader({ preferences }: { preferences: ReactNode }) {
  const t = useTranslations('site');
  const scrolled = useScrolled();
  return (
    <header className={classNames(styles.header, scrolled && styles.scrolled)}>
      <div className={styles.row}>
        <Link className={styles.brand} to={BASE_PATH}>
          <BrandMark />
          <span className={styles.name}>{t('name')}</span>
        </Link>
        <div className={styles.tools}>
          {preferences}
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}
