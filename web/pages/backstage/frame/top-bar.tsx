import { Link, useMatch } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { PreferenceMenus } from '../../../features/preferences/preference-menus.tsx';
import { BrandMark } from '../../../layout/brand-mark.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { CloseIcon } from '../../../ui/icon/action-icons.tsx';
import { ChevronRightIcon } from '../../../ui/icon/arrow-icons.tsx';
import { MenuIcon } from '../../../ui/icon/site-icons.tsx';
import { AdminMenu } from './admin-menu.tsx';
import { BACKSTAGE_PATH, type Screen, screenPath } from './screens.ts';
import styles from './top-bar.module.css';

type Props = {
  screen: Screen | undefined;
  navId: string;
  navOpen: boolean;
  onNavToggle: () => void;
};

/** The way back to the site, where one is, and who one is. */
export function TopBar({ screen, navId, navOpen, onNavToggle }: Props) {
  const t = useTranslations('backstage');
  const site = useTranslations('site');
  const isInside = useMatch(screenPath(screen?.path ?? '')) === null;
  return (
    <header className={styles.bar}>
      <IconButton
        className={styles.toggle}
        label={t(navOpen ? 'navigation_close' : 'navigation_open')}
        icon={navOpen ? <CloseIcon size={18} /> : <MenuIcon size={18} />}
        aria-expanded={navOpen}
        aria-controls={navId}
        onClick={onNavToggle}
      />
      <Link className={styles.brand} to={BASE_PATH} title={t('to_site')}>
        <BrandMark />
        <span className={styles.siteName}>{site('name')}</span>
      </Link>
      <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
        <ol>
          <li>
            <Link to={BACKSTAGE_PATH}>{t('name')}</Link>
          </li>
          {screen && (
            <li>
              <ChevronRightIcon size={14} />
              {isInside ? (
                <Link to={screenPath(screen.path)}>{t(screen.title)}</Link>
              ) : (
                <span aria-current="page">{t(screen.title)}</span>
              )}
            </li>
          )}
          {screen && isInside && (
            <li>
              <ChevronRightIcon size={14} />
              <span aria-current="page">{t('detail')}</span>
            </li>
          )}
        </ol>
      </nav>
      <div className={styles.tools}>
        <PreferenceMenus />
        <AdminMenu />
      </div>
    </header>
  );
}
