import { createContext, type MouseEvent, useContext } from 'react';
import { useLocation } from 'react-router-dom';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { useIsInTool } from '../../api/in-tool.ts';
import { isModifiedClick } from '../../api/latest-location.ts';
import { type SignInOptions, signInUrl } from './sign-in-url.ts';

/** How a page asks for sign-in and learns the result. */
type SignIn = {
  /**
   * Asks the visitor to sign in and returns to the current page. `unfinished`, the caller's pending action as text, is
   * stored until then; `title` is the reason shown to the visitor.
   */
  ask: (pendingAction?: string, title?: string) => void;
  /** Opens a sign-in window directly in the visitor's click; absent where sign-in needs none. */
  openWindow?: ((options: SignInOptions) => void) | undefined;
  /** The dialog is on screen, also while it closes. */
  isOpen: boolean;
  /** Error code of the failed sign-in for this page; null without one. */
  failure: string | null;
  /** Mark of the pending action that waits for a sign-in; empty without one. */
  mark: string;
  /** Mark of the pending action whose sign-in is done; empty without one. */
  answered: string;
};

/** Error code for a frame in which no sign-in page appeared. */
export const FRAME_BLOCKED = 'FRAME_ABSENT';

/** Signs in beside a page that must stay. */
export function signInElsewhere(): void {
  window.open(signInUrl(BASE_PATH), '_blank', 'noopener');
}

/** Pages without the dialog sign in elsewhere. */
export const SignInContext = createContext<SignIn>({
  ask: signInElsewhere,
  isOpen: false,
  failure: null,
  mark: '',
  answered: '',
});

/**
 * Starts sign-in when an action needs it: in a dialog, or directly on the login page for private deployments
 * (R 1.8).
 */
export function useSignIn(): SignIn {
  return useContext(SignInContext);
}

/** Props of a link to the login page, in this or a new window, that returns to the current page. */
export function useSignInLink() {
  const { pathname, search } = useLocation();
  const { ask, openWindow, mark } = useSignIn();
  const isInTool = useIsInTool();
  return (options: SignInOptions = {}) => ({
    href: signInUrl(`${pathname}${search}${mark}`, options),
    onClick: (event: MouseEvent): void => {
      if (isModifiedClick(event) || !(isInTool || openWindow)) return;
      event.preventDefault();
      // A login page in place of this one would have no session to give.
      if (isInTool) ask();
      else openWindow?.(options);
    },
  });
}

const MISCONFIGURED: ErrorCode = 'SIGN_IN_MISCONFIGURED';
const LINKS: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'LOGIN_SOURCE_UNKNOWN']);

/**
 * The text of the namespace `session` for a failed sign-in. Used or expired attempts can be repeated; other errors are
 * not the visitor's.
 */
export function failureText(
  code: string,
): 'failed_text' | 'failed_service' | 'failed_setup' | 'failed_link' | 'frame_absent' {
  if (code === FRAME_BLOCKED) return 'frame_absent';
  if (LINKS.has(code)) return 'failed_link';
  if (code === MISCONFIGURED) return 'failed_setup';
  return /^(?:UPSTREAM_|SERVICE_|INTERNAL)/.test(code) ? 'failed_service' : 'failed_text';
}
