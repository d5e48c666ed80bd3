import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { ArrowLeftIcon, ArrowRightIcon, HomeIcon } from '../../ui/icon/way-icons.tsx';
import { DesktopAccount } from './desktop-account.tsx';
import styles from './desktop-bar.module.css';
import { useNavigationHistory } from './use-navigation-history.ts';

const ICON = 18;

/** Back, forward, plugin home, and who is signed in. For the browser only. */
export function DesktopBar({ preferences }: { preferences: ReactNode }) {
  const t = useTranslations('desktop');
  const { canGoBack, canGoForward, isHome, back, forward, home } = useNavigationHistory();
  return (
    <div className={styles.row}>
      <nav className={styles.steps} aria-label={t('navigation')}>
        <IconButton
          className={styles.step}
          label={t('back')}
          icon={<ArrowLeftIcon size={ICON} />}
          aria-disabled={!canGoBack}
          onClick={back}
        />
        <IconButton
          className={styles.step}
          label={t('forward')}
          icon={<ArrowRightIcon size={ICON} />}
          aria-disabled={!canGoForward}
          onClick={forward}
        />
        <IconButton
          className={styles.step}
          label={t('home')}
          icon={<HomeIcon size={ICON} />}
          aria-current={isHome ? 'page' : undefined}
          onClick={home}
        />
      </nav>
      <div className={styles.tools}>
        {preferences}
        <DesktopAccount />
      </div>
    </div>
  );
}
