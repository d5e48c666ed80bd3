import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { ROLE_USER, TOAST_DURATION } from '../../../shared/constants.ts';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { useCameToLife } from '../../layout/use-came-to-life.ts';
import { Navigate } from '../../routing/navigate.tsx';
import { useParams } from '../../routing/router-context.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { ToastProvider } from '../../ui/toast/toast-provider.tsx';
import { AccessGate } from '../access-gate.tsx';
import { PageSkeleton } from '../page-skeleton.tsx';
import styles from './backstage-page.module.css';
import { BackstageFrame } from './frame/backstage-frame.tsx';
import { MissingScreen } from './frame/missing-screen.tsx';
import { SCREENS, screenPath } from './frame/screens.ts';

/** Everything under /backstage-index (specification section 2): for administrators only, without the site's header. */
export function BackstagePage() {
  const t = useTranslations('backstage');
  const { '*': path = '' } = useParams();
  const [name = '', ...rest] = path.split('/').filter(Boolean);
  const screen = SCREENS.find((candidate) => candidate.path === name);
  // Screens are fetched one by one, which the server, rendering in one go, cannot wait for.
  const isAlive = useCameToLife();
  usePageHead({ title: screen ? t('page_title', { screen: t(screen.title) }) : t('name') });
  if (!isAlive) return <PageSkeleton />;
  return (
    <ToastProvider duration={TOAST_DURATION}>
      <AccessGate needs="admin">
        {name === '' ? (
          <Navigate to={screenPath(SCREENS[0]?.path ?? '')} replace />
        ) : (
          <BackstageFrame screen={screen} rest={rest.join('/')}>
            <Suspense fallback={<Skeleton shape="block" className={styles.loading} />}>
              <Content screen={screen} rest={rest.join('/')} />
            </Suspense>
          </BackstageFrame>
        )}
      </AccessGate>
    </ToastProvider>
  );
}

function Content({ screen, rest }: { screen: (typeof SCREENS)[number] | undefined; rest: string }) {
  const role = useSession().role ?? ROLE_USER;
  if (!screen || screen.isFor?.(role) === false) return <MissingScreen />;
  return <screen.Content rest={rest} />;
}
