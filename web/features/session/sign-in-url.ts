type Options = { signUp?: boolean };

/** Address that begins a sign-in and comes back to `returnTo`, a path of this site (design section 4). */
export function signInUrl(returnTo: string, { signUp = false }: Options = {}): string {
  const query = new URLSearchParams({ return_to: returnTo });
  if (signUp) query.set('page', 'sign_up');
  return `/api/auth/login?${query}`;
}
