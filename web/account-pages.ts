/** Pages on which people sign in and look after their account, each with a chunk of its own. */

export const loadSignInPage = async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage;

export const loadBindPage = async () => (await import('./pages/bind/bind-page.tsx')).BindPage;

export const loadResetPage = async () => (await import('./pages/sign-in/reset/reset-page.tsx')).ResetPage;

export const loadAccountPage = async () => (await import('./pages/account/account-page.tsx')).AccountPage;
