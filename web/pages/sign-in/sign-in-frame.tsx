import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import { PreferenceMenus } from '../../features/preferences/preference-menus.tsx';
import { BrandMark } from '../../layout/brand-mark.tsx';
import { CompactFrame } from './compact-frame.tsx';
import { SignInAside } from './sign-in-aside.tsx';
import styles from './sign-in-frame.module.css';

type SignInFrameProps = {
  /** Inside a frame of another page, which has all of that itself. */
  compact?: boolean;
  children: ReactNode;
};

/** The surroundings of the sign-in page: the site's name, language and colours, and why it is worth an account. */
export function SignInFrame({ compact = false, children }: SignInFrameProps) {
  const t = useTranslations('site');
  if (compact) return <CompactFrame>{children}</CompactFrame>;
  return (
    <div className={styles.frame}>
      <div className={styles.side}>
        <header className={styles.header}>
          <a className={styles.brand} href={BASE_PATH}>
            <BrandMark />
            {t('name')}
          </a>
          <div className={styles.tools}>
            <PreferenceMenus />
          </div>
        </header>
        <main className={styles.main}>
          <div className={styles.column}>{children}</div>
        </main>
      </div>
      <SignInAside />
    </div>
  );
}
