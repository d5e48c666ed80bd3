import { useLocation } from 'react-router-dom';
import { type Site, useSite } from '../api/site-context.ts';
import { useAnalytics } from '../features/analytics/use-analytics.ts';
import { type Consent, useConsent } from '../features/consent/consent.ts';
import { ConsentBanner } from '../features/consent/consent-banner.tsx';
import { useSession } from '../features/session/use-session.ts';

/** The cookie banner of overseas sites, and event collection by the visitor's consent. */
export function PrivacyControls() {
  const { analytics, deploy_type } = useSite();
  const consent = useConsent();
  const { status, user } = useSession();
  const { pathname, search } = useLocation();
  useAnalytics({
    product: analytics?.product ?? '',
    isAllowed: mayCollect(analytics, consent),
    isViewerKnown: status !== 'unknown',
    viewer: user,
    page: pathname + search,
  });
  return deploy_type === 'overseas' && <ConsentBanner onDecided={focusPage} />;
}

/** Whether events may be collected: where a site asks first, only after consent. */
export function mayCollect(analytics: Site['analytics'], consent: Consent | undefined): boolean {
  return analytics !== null && (analytics.when === 'always' || consent === 'marketing');
}

function focusPage(): void {
  document.querySelector('main')?.focus({ preventScroll: true });
}
