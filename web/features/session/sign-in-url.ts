import { isInTool } from '../../api/in-tool.ts';

export type SignInOptions = {
  signUp?: boolean;
  /** Where the login page is shown: in this window, in a new one, or in a frame (auth). */
  mode?: 'redirect' | 'popup' | 'auth';
};

/** URL that starts a sign-in and returns to `returnTo`, a path of this site (R 8.3). */
export function signInUrl(
  returnTo: string,
  { signUp = false, mode = 'redirect' }: SignInOptions = {},
): string {
  const query = new URLSearchParams({ return_to: returnTo, ux_mode: mode });
  // The session is then only for pages inside the tool.
  if (mode === 'auth' && isInTool()) query.set('embed', 'tool');
  if (signUp) query.set('page', 'sign_up');
  return `/api/auth/login?${query}`;
}
