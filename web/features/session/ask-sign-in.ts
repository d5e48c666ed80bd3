import { createContext, type MouseEvent, useContext } from 'react';
import { useLocation } from 'react-router-dom';
import { opensElsewhere } from '../../api/latest-location.ts';
import { type SignInOptions, signInUrl } from './sign-in-url.ts';

/** How a page asks for sign-in, and learns of one. */
type SignIn = {
  /**
   * Asks the visitor to sign in, and afterwards leads back to the page on screen. `unfinished` is kept until then: what
   * they wanted to do, in the words of whoever asks; `title` says to the visitor what they sign in for.
   */
  ask: (unfinished?: string, title?: string) => void;
  /** Opens a window to sign in with, at once in the visitor's click; absent where sign-ins need none. */
  openWindow?: ((options: SignInOptions) => void) | undefined;
  /** The dialog is on screen. */
  isOpen: boolean;
  /** Code of a sign-in that was to lead to this page and failed; null: none. */
  failure: string | null;
  /** Sign-ins beside this page since it was opened. */
  arrivals: number;
};

/** Stands for the code of a failure where no sign-in page came up in its frame. */
export const FRAME_ABSENT = 'FRAME_ABSENT';

export const SignInContext = createContext<SignIn>({
  ask: () => undefined,
  isOpen: false,
  failure: null,
  arrivals: 0,
});

/**
 * How a page starts sign-in when an action needs it: a dialog first, and on private deployments the login
 * page directly (specification section 6).
 */
export function useSignIn(): SignIn {
  return useContext(SignInContext);
}

/** What a link has that leads to the login page, or opens it in a window of its own, and comes back to the page on screen. */
export function useSignInLink() {
  const { pathname, search } = useLocation();
  const { openWindow } = useSignIn();
  return (options: SignInOptions = {}) => ({
    href: signInUrl(`${pathname}${search}`, options),
    onClick: (event: MouseEvent): void => {
      if (!openWindow || opensElsewhere(event)) return;
      event.preventDefault();
      openWindow(options);
    },
  });
}

const LINKS: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'LOGIN_SOURCE_UNKNOWN']);

/**
 * The text of the namespace `session` for the code of a sign-in that failed. Used up or expired attempts are the
 * visitor's to repeat; for the rest, the link or the service did not do its part.
 */
export function failureText(code: string): 'failed_text' | 'failed_service' | 'failed_link' | 'frame_absent' {
  if (code === FRAME_ABSENT) return 'frame_absent';
  if (LINKS.has(code)) return 'failed_link';
  return /^(?:UPSTREAM_|SERVICE_|INTERNAL)/.test(code) ? 'failed_service' : 'failed_text';
}
