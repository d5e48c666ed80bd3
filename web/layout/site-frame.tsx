import { type ReactNode, useRef } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { TOAST_DURATION } from '../../shared/constants.ts';
import { SignInDialog } from '../features/session/sign-in-dialog.tsx';
import { useDefaultInstalls } from '../features/session/use-default-installs.ts';
import { useViewerChange } from '../features/session/use-viewer-change.ts';
import { ToastProvider } from '../ui/toast/toast-provider.tsx';
import { PageAnnouncer } from './page-announcer.tsx';
import { ProgressLine } from './progress-line.tsx';
import { SiteFooter } from './site-footer.tsx';
import styles from './site-frame.module.css';
import { SiteHeader } from './site-header.tsx';

const MAIN_ID = 'main';

/** Header, page and footer. `preferences` stands in the header, beside the account. */
export function SiteFrame({ preferences }: { preferences: ReactNode }) {
  const t = useTranslations('site');
  const main = useRef<HTMLElement>(null);
  useViewerChange();
  useDefaultInstalls();
  return (
    <ToastProvider duration={TOAST_DURATION}>
      <SignInDialog>
        <a className={styles.skip} href={`#${MAIN_ID}`}>
          {t('skip_to_content')}
        </a>
        <ProgressLine />
        <div className={styles.frame}>
          <SiteHeader preferences={preferences} />
          <main id={MAIN_ID} ref={main} className={styles.main} tabIndex={-1}>
            <Outlet />
          </main>
          <SiteFooter />
        </div>
        <PageAnnouncer focus={main} />
        <ScrollRestoration />
      </SignInDialog>
    </ToastProvider>
  );
}
