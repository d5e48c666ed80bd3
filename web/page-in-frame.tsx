import { PreferenceMenus } from './features/preferences/preference-menus.tsx';
import { ErrorPage } from './layout/error-page.tsx';
import { SiteFrame } from './layout/site-frame.tsx';
import type { ShownPage } from './page-loader.ts';
import { PageBoundary } from './routing/page-boundary.tsx';
import { useLocation } from './routing/router-context.ts';

type Props = { page: ShownPage };

/** A page in the site's frame, or with its own surroundings; where it breaks, a page that says so. */
export function PageInFrame({ page: { frame, Component } }: Props) {
  const location = useLocation();
  const page = (
    <PageBoundary location={location} fallback={<ErrorPage />}>
      <Component />
    </PageBoundary>
  );
  if (frame === 'bare') return page;
  return (
    <PageBoundary location={location} fallback={<ErrorPage />}>
      <SiteFrame preferences={<PreferenceMenus />}>{page}</SiteFrame>
    </PageBoundary>
  );
}
