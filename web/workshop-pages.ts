/** Pages of publishers, of the account and of the backstage, each with a chunk of its own. */

export const loadSinglePage = async () => (await import('./pages/publish/single/single-page.tsx')).SinglePage;

export const loadBatchPage = async () => (await import('./pages/publish/batch/batch-page.tsx')).BatchPage;

export const loadMyPluginsPage = async () =>
  (await import('./pages/my-plugins/my-plugins-page.tsx')).MyPluginsPage;

export const loadVersionsPage = async () =>
  (await import('./pages/my-plugins/versions-page.tsx')).VersionsPage;

export const loadBackstagePage = async () =>
  (await import('./pages/backstage/backstage-page.tsx')).BackstagePage;

export const loadAccountPage = async () => (await import('./pages/account/account-page.tsx')).AccountPage;

export const loadDeleteAccountPage = async () =>
  (await import('./pages/account/delete/delete-page.tsx')).DeleteAccountPage;

export const loadNoticesPage = async () => (await import('./pages/notices/notices-page.tsx')).NoticesPage;
