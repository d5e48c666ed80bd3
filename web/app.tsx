import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { IntlProvider, type Messages } from 'use-intl';
import { boundaryHydrated, firstViewHydrated } from './api/first-view.ts';
import { type LatestLocation, LatestLocationContext } from './api/latest-location.ts';
import { type Site, SiteProvider } from './api/site-context.ts';
import { PageNotices, PartFailure } from './layout/page-notices.tsx';
import { UnsavedTexts } from './layout/unsaved-texts.tsx';
import { PartFailureContext } from './loading/lazy.tsx';

type Props = {
  site: Site;
  messages: Messages;
  queryClient: QueryClient;
  latestLocation?: LatestLocation;
  children: ReactNode;
};

/** Providers of every page: site facts, messages, query cache, texts of dialogs and the stroke of icons. */
export function App({ site, messages, queryClient, latestLocation, children }: Props) {
  // The server can't know the visitor's time zone, so the first render of both sides is in UTC.
  const [timeZone, setTimeZone] = useState('UTC');
  // A new Date object would render every component with a relative time again.
  const now = useMemo(() => new Date(site.now), [site.now]);
  useEffect(() => {
    boundaryHydrated();
    const { timeZone: own } = Intl.DateTimeFormat().resolvedOptions();
    void firstViewHydrated().then(() => startTransition(() => setTimeZone(own)));
  }, []);
  return (
    <SiteProvider value={site}>
      <QueryClientProvider client={queryClient}>
        <LatestLocationContext value={latestLocation}>
          <IntlProvider locale={site.language} messages={messages} now={now} timeZone={timeZone}>
            <LucideProvider size={16} strokeWidth={1.3} absoluteStrokeWidth>
              <PartFailureContext value={PartFailure}>
                <UnsavedTexts>{children}</UnsavedTexts>
                <PageNotices />
              </PartFailureContext>
            </LucideProvider>
          </IntlProvider>
        </LatestLocationContext>
      </QueryClientProvider>
    </SiteProvider>
  );
}
