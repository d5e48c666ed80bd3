import { type ReactNode, useRef } from 'react';
import { ScrollRestoration } from 'react-router-dom';
import { TOAST_DURATION } from '../../shared/constants.ts';
import { SignInDialog } from '../features/session/sign-in-dialog.tsx';
import { useDefaultInstalls } from '../features/session/use-default-installs.ts';
import { useViewerChange } from '../features/session/use-viewer-change.ts';
import { ToastProvider } from '../ui/toast/toast-provider.tsx';
import { DesktopHeader } from './desktop/desktop-header.tsx';
import { scrollKeyOf } from './desktop/scroll-key.ts';
import { SiteHeader } from './header/site-header.tsx';
import { PageAnnouncer } from './page-announcer.tsx';
import { Privacy } from './privacy.tsx';
import { ProgressLine } from './progress-line.tsx';
import { Section } from './section.tsx';
import { SiteFooter } from './site-footer.tsx';
import styles from './site-frame.module.css';
import { SkipLink } from './skip-link.tsx';
import { useClientContext } from './use-client-context.ts';

const MAIN_ID = 'main';

/** Header, page and footer. `preferences` stands in the header, beside the account. */
export function SiteFrame({ preferences, children }: { preferences: ReactNode; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { client } = useClientContext();
  useViewerChange();
  useDefaultInstalls();
  return (
    <ToastProvider duration={TOAST_DURATION}>
      <SignInDialog>
        <SkipLink to={MAIN_ID} />
        <Privacy />
        <ProgressLine />
        <div className={styles.frame}>
          <Section>
            {client === 'desktop' ? (
              <DesktopHeader preferences={preferences} />
            ) : (
              <SiteHeader preferences={preferences} />
            )}
          </Section>
          <main id={MAIN_ID} ref={main} className={styles.main} tabIndex={-1}>
            <Section>{children}</Section>
          </main>
          <Section>
            <SiteFooter />
          </Section>
        </div>
        <PageAnnouncer focus={main} />
        <ScrollRestoration getKey={scrollKeyOf} />
      </SignInDialog>
    </ToastProvider>
  );
}
