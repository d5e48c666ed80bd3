import { type ReactNode, useEffect, useRef } from 'react';
import { ScrollRestoration } from 'react-router-dom';
import { TOAST_DURATION } from '../../shared/constants.ts';
import { useSite } from '../api/site-context.ts';
import { ArrivalProvider } from '../features/plugins/arrival-provider.tsx';
import { useSearchShortcut } from '../features/plugins/search/search-focus.ts';
import { SignInDialog } from '../features/session/sign-in-dialog.tsx';
import { useDefaultInstalls } from '../features/session/use-default-installs.ts';
import { useViewerChange } from '../features/session/use-session.ts';
import { Lazy } from '../loading/lazy.tsx';
import { lazyWithRetry, useLazyPart } from '../loading/lazy-with-retry.ts';
import { ToastProvider } from '../ui/toast/toast-provider.tsx';
import { DeferredHydration } from './deferred-hydration.tsx';
import { scrollKeyOf } from './desktop/scroll-key.ts';
import { PageAnnouncer, ProgressLine, SkipLink } from './frame.tsx';
import { SiteHeader } from './header/site-header.tsx';
import { SiteFooter } from './site-footer.tsx';
import styles from './site-frame.module.css';
import { useClientContext } from './use-client-context.ts';
import { whenIdle } from './when-idle.ts';

const MAIN_ID = 'main';

/** Header, page and footer. `preferences` are in the header, beside the account. */
export function SiteFrame({ preferences, children }: { preferences: ReactNode; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { client } = useClientContext();
  useViewerChange();
  useDefaultInstalls();
  useSearchShortcut();
  return (
    <ToastProvider duration={TOAST_DURATION}>
      <SignInDialog>
        <SkipLink to={MAIN_ID} />
        {client === 'tool' ? <Bridge /> : <Privacy />}
        <ProgressLine />
        <div className={styles.frame}>
          <DeferredHydration>
            {client === 'browser' ? (
              <SiteHeader preferences={preferences} />
            ) : (
              <DesktopHeader preferences={client === 'desktop' && preferences} />
            )}
          </DeferredHydration>
          <main id={MAIN_ID} ref={main} className={styles.main} tabIndex={-1}>
            <ArrivalProvider>
              <DeferredHydration>{children}</DeferredHydration>
            </ArrivalProvider>
          </main>
          {client !== 'tool' && (
            <DeferredHydration>
              <SiteFooter />
            </DeferredHydration>
          )}
        </div>
        <PageAnnouncer focus={main} />
        <ScrollRestoration getKey={scrollKeyOf} />
      </SignInDialog>
    </ToastProvider>
  );
}

const desktopBar = lazyWithRetry(async () => (await import('./desktop/desktop-bar.tsx')).DesktopBar);

/**
 * The small header of the design tool's desktop client (R 11.13), and inside a design tool, which has language and colours of
 * its own. Its space is reserved immediately;
 * the content needs the tab's history, and other visitors don't load it.
 */
function DesktopHeader({ preferences }: { preferences: ReactNode }) {
  return (
    <header className={styles.header}>
      <Lazy part={desktopBar}>{(DesktopBar) => <DesktopBar preferences={preferences} />}</Lazy>
    </header>
  );
}

const toolBridge = lazyWithRetry(async () => (await import('./tool/tool-bridge.tsx')).ToolBridge);

/** What links the page with the design tool around it. */
function Bridge() {
  return <Lazy part={toolBridge}>{(ToolBridge) => <ToolBridge />}</Lazy>;
}

const privacyParts = lazyWithRetry(async () => (await import('./privacy-controls.tsx')).PrivacyControls);

/** The cookie banner and event collection, on sites that have them. Neither is loaded before the page is idle. */
function Privacy() {
  const { analytics, deploy_type } = useSite();
  const isNeeded = analytics !== null || deploy_type === 'overseas';
  const Parts = useLazyPart(privacyParts);
  useEffect(() => (isNeeded ? whenIdle(privacyParts.preload) : undefined), [isNeeded]);
  return isNeeded && Parts && <Parts />;
}
