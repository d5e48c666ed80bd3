export type SignInOptions = {
  signUp?: boolean;
  /** How the login page is shown: in place of this page, in a window of its own, or in a frame (auth). */
  mode?: 'redirect' | 'popup' | 'auth';
};

/** Address that begins a sign-in and comes back to `returnTo`, a path of this site (design section 4). */
export function signInUrl(
  returnTo: string,
  { signUp = false, mode = 'redirect' }: SignInOptions = {},
): string {
  const query = new URLSearchParams({ return_to: returnTo, ux_mode: mode });
  if (signUp) query.set('page', 'sign_up');
  return `/api/auth/login?${query}`;
}
