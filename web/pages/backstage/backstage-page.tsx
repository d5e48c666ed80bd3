import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ROLE_USER, TOAST_DURATION } from '../../../shared/constants.ts';
import { useSite } from '../../api/site-context.ts';
import { useLastSession, useViewerChange } from '../../features/session/use-session.ts';
import { PageAnnouncer, ProgressLine, SkipLink } from '../../layout/frame.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { classNames } from '../../ui/class-names.ts';
import { ToastProvider } from '../../ui/toast/toast-provider.tsx';
import { AccessGate } from '../access-gate/access-gate.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import styles from './frame/backstage-frame.module.css';
import { MissingScreen } from './frame/missing-screen.tsx';
import { SCREENS, type Screen, screenPath, useScreen } from './frame/screens.ts';
import sideNavStyles from './frame/side-nav.module.css';
import { TopBar } from './frame/top-bar.tsx';

/** Everything under /backstage-index (R 2.4): for administrators only, without the site's header. */
export function BackstagePage() {
  const t = useTranslations('backstage');
  const screen = useScreen();
  // Access is only known in the browser.
  const isHydrated = useIsHydrated();
  usePageHead({ title: screen ? t('page_title', { screen: t(screen.title) }) : t('name') });
  if (!isHydrated) return <PageSkeleton />;
  return (
    <ToastProvider duration={TOAST_DURATION}>
      <AccessGate needs="admin">
        <BackstageFrame screen={screen}>
          <Content screen={screen} />
        </BackstageFrame>
      </AccessGate>
    </ToastProvider>
  );
}

function Content({ screen }: { screen: Screen | undefined }) {
  const viewer = useViewer();
  return screen?.isFor?.(viewer) === false ? <MissingScreen /> : <Outlet />;
}

/** What decides which screens there are. */
function useViewer() {
  const { own_accounts } = useSite();
  return { role: useLastSession().role ?? ROLE_USER, own_accounts };
}

const NAV_ID = 'backstage-nav';

type Props = { screen: Screen | undefined; children: ReactNode };

/** Navigation at the side, breadcrumb and account on top, the screen inside. On phones the navigation collapses. */
function BackstageFrame({ screen, children }: Props) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const [navOpen, setNavOpen] = useState(false);
  useViewerChange();
  useStaleAfterMutations();
  useEffect(() => setNavOpen(false), [pathname]);
  useEffect(() => {
    if (!navOpen) return;
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setNavOpen(false);
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [navOpen]);
  return (
    <>
      <SkipLink to="main" />
      <ProgressLine />
      <div className={styles.frame}>
        <TopBar screen={screen} navId={NAV_ID} navOpen={navOpen} onNavToggle={() => setNavOpen(!navOpen)} />
        <div id={NAV_ID} className={classNames(styles.side, navOpen && styles.open)}>
          <SideNav />
        </div>
        <main id="main" ref={main} className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <PageAnnouncer focus={main} />
    </>
  );
}

/** Administrators' changes may be visible on any other page: all of it is refetched there. */
function useStaleAfterMutations(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { type } = event.action;
        if (type === 'success' || type === 'error')
          void client.invalidateQueries({ type: 'inactive', refetchType: 'none' });
      }),
    [client],
  );
}

const GROUPS: readonly Screen['group'][] = ['work', 'curation', 'insight', 'settings'];

/** Screens of the backstage that this account may see, by group. */
function SideNav() {
  const t = useTranslations('backstage');
  const viewer = useViewer();
  const offered = SCREENS.filter(({ isFor }) => isFor?.(viewer) ?? true);
  return (
    <nav className={sideNavStyles.nav} aria-label={t('navigation')}>
      {GROUPS.map((group) => (
        <div key={group} className={sideNavStyles.group}>
          <h2 className={sideNavStyles.heading} id={`nav-${group}`}>
            {t(`group_${group}`)}
          </h2>
          <ul aria-labelledby={`nav-${group}`}>
            {offered
              .filter((screen) => screen.group === group)
              .map(({ path, title, icon: Icon, Count }) => (
                <li key={path}>
                  <NavLink className={() => sideNavStyles.link} to={screenPath(path)}>
                    <Icon size={18} />
                    {t(title)}
                    {Count && <Count />}
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
