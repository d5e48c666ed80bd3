import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useViewerChange } from '../../../features/session/use-viewer-change.ts';
import { PageAnnouncer } from '../../../layout/page-announcer.tsx';
import { ProgressLine } from '../../../layout/progress-line.tsx';
import { SkipLink } from '../../../layout/skip-link.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './backstage-frame.module.css';
import type { Screen } from './screens.ts';
import { SideNav } from './side-nav.tsx';
import { TopBar } from './top-bar.tsx';

const NAV_ID = 'backstage-nav';

type Props = { screen: Screen | undefined; children: ReactNode };

/** Navigation at the side, breadcrumb and account above, the screen inside. On telephones the navigation folds away. */
export function BackstageFrame({ screen, children }: Props) {
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

/** What an administrator changes may be shown on any other page: whatever is cached of them is fetched again there. */
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
