import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { useSignIn } from './ask-sign-in.ts';
import { SignInStopped } from './sign-in-stopped.tsx';
import { signInUrl } from './sign-in-url.ts';

/**
 * Leaves for sign-in, in place of this page in the browser's history, and comes back to it. After a sign-in that did not
 * work it stays and says so: whoever needs no typing would go in circles.
 */
export function ToSignIn({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation();
  const { failure } = useSignIn();
  const query = new URLSearchParams(search);
  const failed = failure ?? query.get(LOGIN_ERROR_PARAMETER);
  query.delete(LOGIN_ERROR_PARAMETER);
  const here = `${pathname}${query.size > 0 ? `?${query}` : ''}${hash}`;
  useEffect(() => {
    if (failed === null) location.replace(signInUrl(here));
  }, [failed, here]);
  return failed === null ? children : <SignInStopped code={failed} here={here} />;
}
