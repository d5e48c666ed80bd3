import { useEffect } from 'react';
import { useSite } from '../api/site-context.ts';
import { useLazyComponent } from './use-lazy-component.ts';
import { whenIdle } from './when-idle.ts';

const loadParts = () => import('./privacy-parts.tsx').then((module) => module.PrivacyParts);

/**
 * The cookie banner and the collection of events, on sites that have them. Nothing of either is fetched before the page
 * has loaded and come to rest.
 */
export function Privacy() {
  const { analytics, deploy_type } = useSite();
  const isNeeded = analytics !== null || deploy_type === 'overseas';
  const { part, want } = useLazyComponent(loadParts);
  useEffect(() => (isNeeded ? whenIdle(want) : undefined), [isNeeded, want]);
  return part && <part.Part />;
}
