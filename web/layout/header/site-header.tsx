import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { siteVariant } from '../../../shared/deploy-types.ts';
import { useSite } from '../../api/site-context.ts';
import { BrandMark } from '../brand-mark.tsx';
import { useSiteAddress } from '../site-address.ts';
import { useClientContext } from '../use-client-context.ts';
import { HeaderTools } from './header-tools.tsx';
import { MainNav } from './main-nav.tsx';
import styles from './site-header.module.css';
import { targetsOf } from './targets/targets-of.ts';
import { useBannerPassed } from './use-banner-passed.ts';
import { useScrolled } from './use-scrolled.ts';

/** The bar at the top of every page of the site. */
export function SiteHeader({ preferences }: { preferences: ReactNode }) {
  const t = useTranslations('site');
  const { deploy_type, language } = useSite();
  const { embedded } = useClientContext();
  const addressOf = useSiteAddress();
  const targets = targetsOf(siteVariant(deploy_type), {
    embedded,
    leads: (path) => addressOf(typeof path === 'string' ? path : path[language]) !== undefined,
  });
  return (
    <header
      className={styles.header}
      data-scrolled={useScrolled() || undefined}
      data-banner={useBannerPassed() || undefined}
    >
      <div className={styles.row}>
        <Link className={styles.brand} to={BASE_PATH}>
          <BrandMark />
          <span className={styles.name}>{t('name')}</span>
        </Link>
        <MainNav sections={targets.sections} />
        <HeaderTools targets={targets} preferences={preferences} />
      </div>
    </header>
  );
}
