import { useLocation } from 'react-router-dom';
import { useSite } from '../api/site-context.ts';
import { useAnalytics } from '../features/analytics/use-analytics.ts';
import { useConsent } from '../features/consent/consent.ts';
import { ConsentBanner } from '../features/consent/consent-banner.tsx';
import { useSession } from '../features/session/use-session.ts';

/** The cookie banner of overseas sites, and the collection of events by the visitor's decision. */
export function PrivacyParts() {
  const { analytics, deploy_type } = useSite();
  const consent = useConsent();
  const { status, user } = useSession();
  const { pathname, search } = useLocation();
  useAnalytics({
    product: analytics?.product ?? '',
    isAllowed: analytics !== null && (analytics.when === 'always' || consent === 'marketing'),
    isViewerKnown: status !== 'unknown',
    viewer: user,
    page: pathname + search,
  });
  return deploy_type === 'overseas' && <ConsentBanner onDecided={focusPage} />;
}

function focusPage(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}
