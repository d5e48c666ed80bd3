import { type ReactNode, useEffect } from 'react';
import { useLocation } from '../../routing/router-context.ts';
import { signInUrl } from './sign-in-url.ts';

/** Leaves for sign-in, in place of this page in the browser's history, and comes back to it. */
export function ToSignIn({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const here = `${pathname}${search}${hash}`;
  useEffect(() => location.replace(signInUrl(here)), [here]);
  return children;
}
