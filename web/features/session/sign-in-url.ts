type Options = {
  signUp?: boolean;
  /** The sign-in stands in a frame of the page and tells it when it is done (ux_mode auth). */
  inFrame?: boolean;
};

/** Address that begins a sign-in and comes back to `returnTo`, a path of this site (design section 4). */
export function signInUrl(returnTo: string, { signUp = false, inFrame = false }: Options = {}): string {
  const query = new URLSearchParams({ return_to: returnTo });
  if (inFrame) query.set('ux_mode', 'auth');
  if (signUp) query.set('page', 'sign_up');
  return `/api/auth/login?${query}`;
}
