import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { IntlProvider, type Messages } from 'use-intl';
import { type Site, SiteProvider } from './api/site-context.ts';
import { useCameToLife } from './layout/use-came-to-life.ts';

type Props = { site: Site; messages: Messages; queryClient: QueryClient; children: ReactNode };

/** What every page stands on: site facts, texts and the cache of answers. */
export function App({ site, messages, queryClient, children }: Props) {
  // The server cannot know the visitor's time zone, so the first render of both sides is in UTC.
  const isAlive = useCameToLife();
  const timeZone = isAlive ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC';
  return (
    <SiteProvider value={site}>
      <QueryClientProvider client={queryClient}>
        <IntlProvider locale={site.language} messages={messages} now={new Date(site.now)} timeZone={timeZone}>
          {children}
        </IntlProvider>
      </QueryClientProvider>
    </SiteProvider>
  );
}
