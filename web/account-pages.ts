/** Pages on which people sign in, each with a chunk of its own. */

export const loadSignInPage = async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage;

export const loadBindPage = async () => (await import('./pages/bind/bind-page.tsx')).BindPage;

export const loadSignUpPage = async () => (await import('./pages/mail-links/sign-up-page.tsx')).SignUpPage;

export const loadVerifyPage = async () => (await import('./pages/mail-links/verify-page.tsx')).VerifyPage;

export const loadUnsubscribePage = async () =>
  (await import('./pages/mail-links/unsubscribe-page.tsx')).UnsubscribePage;

export const loadResetPage = async () => (await import('./pages/sign-in/reset/reset-page.tsx')).ResetPage;
