import { Outlet } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ROLE_USER, TOAST_DURATION } from '../../../shared/constants.ts';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { ToastProvider } from '../../ui/toast/toast-provider.tsx';
import { AccessGate } from '../access-gate.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import { BackstageFrame } from './frame/backstage-frame.tsx';
import { MissingScreen } from './frame/missing-screen.tsx';
import { type Screen, useScreen } from './frame/screens.ts';

/** Everything under /backstage-index (specification section 2): for administrators only, without the site's header. */
export function BackstagePage() {
  const t = useTranslations('backstage');
  const screen = useScreen();
  // Who may see it is known in the browser alone.
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
  const role = useSession().role ?? ROLE_USER;
  return screen?.isFor?.(role) === false ? <MissingScreen /> : <Outlet />;
}
